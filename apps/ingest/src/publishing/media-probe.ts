import type { Clock } from '@rtms/clock';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';

/** The containers of an encoder's media. */
export type Container = 'flv' | 'nut';

export interface InspectedVideo {
  /** FFmpeg's name, e.g. `h264`. */
  codec: string;
  /** FFmpeg's name, e.g. `High 4:2:2`; undefined: unknown. */
  profile?: string | undefined;
  width: number;
  height: number;
  /** Frames per second; 0: unknown. */
  frameRate: number;
  /** Bits per second; 0: unknown. */
  bitrate: number;
  /** Pictures are not sent in the order in which they are shown. */
  hasBFrames: boolean;
}

export interface InspectedMedia {
  video?: InspectedVideo;
  /** FFmpeg's name, e.g. `aac`. `isUnnamed`: the container has no name for it. */
  audio?: { codec: string; isUnnamed?: true };
  /** The longest time that a kind lasts. Absent: no packet was read. */
  durationMs?: number;
}

const withinMs = 5_000;
/** A line of a packet has about 60 bytes. */
const mostOutputBytes = 4 * 1024 * 1024;
/** FFmpeg probes no more than this, whatever the input claims. */
const probeBytes = 8 * 1024 * 1024;

/**
 * Bounds of reading an input from a network. FFmpeg reads so much of MPEG-TS before it converts anything, because another stream may follow.
 */
export function probingArguments(durationMs = 10_000): string[] {
  return ['-probesize', `${probeBytes}`, '-analyzeduration', `${Math.ceil(durationMs) * 1000}`];
}

/**
 * Finds codecs and frame order in the beginning of a stream. An input that FFmpeg cannot read within 5 s has neither audio nor
 * video.
 */
export async function inspectMedia(
  ffmpeg: Ffmpeg,
  container: Container,
  beginning: Buffer,
  clock: Clock,
): Promise<InspectedMedia> {
  const args = [
    ...['-hide_banner', '-loglevel', 'info', '-nostats', ...probingArguments(), '-f', container, '-i', 'pipe:0'],
    ...['-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy', '-f', 'framecrc', 'pipe:1'],
  ];
  const stop = new AbortController();
  const timer = clock.after(withinMs, () => stop.abort());
  try {
    let messages = '';
    const onMessages = (text: string): void => void (messages = text);
    const limits = { input: beginning, timeoutMs: 0, signal: stop.signal, mostOutputBytes, onMessages };
    const output = await convert(ffmpeg, args, limits);
    const { video, ...others } = readFrameList(output.toString('latin1'));
    const unnamed = unnamedAudioIn(messages);
    return {
      ...others,
      ...(video && { video: { ...video, profile: profileIn(messages) } }),
      ...(unnamed !== undefined && { audio: { codec: unnamed, isUnnamed: true } }),
    };
  } catch {
    return {};
  } finally {
    timer.cancel();
  }
}

/** Reads FFmpeg's description of the input, such as `Stream #0:0: Video: h264 (High 4:2:2), yuv422p, …`. */
export function profileIn(messages: string): string | undefined {
  return /Video: h264 \(([^)]+)\)/.exec(messages)?.[1];
}

/** PCM of MPEG-TS (SMPTE 302M) keeps its tag in NUT, which has no name for this codec. */
export function unnamedAudioIn(messages: string): 's302m' | undefined {
  return messages.includes('Audio: none (BSSD ') ? 's302m' : undefined;
}

/**
 * Reads FFmpeg's framecrc format: lines such as `#codec_id 0: h264`, then `stream, dts, pts, duration, size, …` for each packet.
 */
export function readFrameList(text: string): InspectedMedia {
  const facts = new Map(
    [...text.matchAll(/^#(\w+) (\d+): (.*)$/gm)].map(([, name, index, value]) => [`${name} ${index}`, value]),
  );
  const indexOf = (kind: string): number | undefined => [0, 1].find(index => facts.get(`media_type ${index}`) === kind);
  const [video, audio] = [indexOf('video'), indexOf('audio')];
  const codecOf = (index: number): string => facts.get(`codec_id ${index}`) ?? 'none';
  const packetsOf = (index: number): Packet[] => packetsIn(text, index, facts.get(`tb ${index}`) ?? '1/1');
  const media: InspectedMedia = {};
  const lasting: number[] = [];
  if (audio !== undefined) {
    media.audio = { codec: codecOf(audio) };
    lasting.push(secondsOf(packetsOf(audio)));
  }
  if (video !== undefined) {
    const [width = 0, height = 0] = (facts.get(`dimensions ${video}`) ?? '').split('x').map(Number);
    media.video = { codec: codecOf(video), width, height, ...orderOf(packetsOf(video)) };
    lasting.push(secondsOf(packetsOf(video)));
  }
  return lasting.length === 0 ? media : { ...media, durationMs: 1_000 * Math.max(...lasting) };
}

/** Times in seconds. */
interface Packet {
  dts: number;
  pts: number;
  bits: number;
}

function packetsIn(text: string, stream: number, timeBase: string): Packet[] {
  const ticksPerSecond = Number(timeBase.split('/')[1]);
  return [...text.matchAll(/^(\d+), *(-?\d+), *(-?\d+),(?: *\d+, *(\d+))?/gm)]
    .filter(([, index]) => Number(index) === stream)
    .map(([, , dts, pts, size]) => ({
      dts: Number(dts) / ticksPerSecond,
      pts: Number(pts) / ticksPerSecond,
      bits: 8 * Number(size ?? 0),
    }));
}

function secondsOf(packets: readonly Packet[]): number {
  return (packets.at(-1)?.dts ?? 0) - (packets[0]?.dts ?? 0);
}

function orderOf(times: readonly Packet[]): Pick<InspectedVideo, 'frameRate' | 'bitrate' | 'hasBFrames'> {
  let latest = -Infinity;
  let hasBFrames = false;
  for (const { pts } of times) {
    hasBFrames ||= pts < latest;
    latest = Math.max(latest, pts);
  }
  const seconds = secondsOf(times);
  const bits = times.reduce((sum, each) => sum + each.bits, 0);
  const perSecond = (amount: number): number => (seconds > 0 ? amount / seconds : 0);
  return { hasBFrames, frameRate: perSecond(times.length - 1), bitrate: Math.round(perSecond(bits)) };
}
