import { readFile, writeFile } from 'node:fs/promises';
import { parseRtpPacket } from '@rtms/bitstream';
import type { CodecName, MediaKind } from '@rtms/contracts';
import { storedMedia } from '@rtms/testing';
import { clockRates, type Clip, type ClipPacket } from './clip.js';
import { PacketSource } from './packet-source.js';
import { recordRtsp } from './rtsp-recorder.js';

export interface RtpSourceOptions {
  video: Exclude<CodecName, 'opus' | 'av1'>;
  /** e.g. `1280x720`. */
  size?: string;
  /** Whole pictures a second; default `30`. A keyframe comes each second. */
  frameRate?: string;
  /** FFmpeg's description of the picture, without size and rate, e.g. `color=red`. */
  picture?: string;
  /** Filters of the picture. */
  filters?: string;
  /** FFmpeg's description of the sound. */
  sound?: string;
  /** Consecutive B-frames of H264. */
  bFrames?: number;
  /** Length of the loop; default 6. The filters must fit it. */
  seconds?: number;
}

const usualSeconds = 6;

const encoders: Record<RtpSourceOptions['video'], string[]> = {
  h264: [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-x264-params',
    'repeat-headers=1',
  ],
  vp8: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  vp9: [
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-row-mt',
    '1',
    '-lag-in-frames',
    '0',
    '-strict',
    'experimental',
  ],
};

/** The packets of the RTP that FFmpeg makes, in base 64. */
type Recorded = Record<MediaKind, string[]>;

const channels: Record<MediaKind, number> = { video: 0, audio: 2 };
const clips = new Map<string, Promise<Clip>>();

/** Plays what FFmpeg made of the options. It is made once and stored: live encoding takes a FFmpeg for each source, and begins sound and picture apart. */
export class RtpSource extends PacketSource {
  constructor(options: RtpSourceOptions) {
    super({ codec: options.video.toUpperCase(), clip: () => recordedClip(options) });
  }
}

function recordedClip(options: RtpSourceOptions): Promise<Clip> {
  const key = JSON.stringify(options);
  const clip = clips.get(key) ?? loadClip(options);
  clips.set(key, clip);
  return clip;
}

async function loadClip(options: RtpSourceOptions): Promise<Clip> {
  const { seconds = usualSeconds } = options;
  const args = encodingArguments(options, seconds);
  const path = await storedMedia(args, 'rtp.json', async made => {
    const packets = await recordRtsp(args);
    const packetsOf = (kind: MediaKind) => (packets.get(channels[kind]) ?? []).map(each => each.toString('base64'));
    const recorded: Recorded = { video: packetsOf('video'), audio: packetsOf('audio') };
    await writeFile(made, JSON.stringify(recorded));
  });
  const { video, audio } = JSON.parse(await readFile(path, 'utf8')) as Recorded;
  // The sound ends after the picture. The next loop begins there.
  const within = (packet: ClipPacket) => packet.seconds < seconds;
  return {
    seconds,
    video: clipPackets('video', video).filter(within),
    audio: clipPackets('audio', audio).filter(within),
  };
}

/** A B-frame is sent at once after the picture that it refers to. */
function clipPackets(kind: MediaKind, recorded: readonly string[]): ClipPacket[] {
  const packets = recorded.flatMap(text => parseRtpPacket(Buffer.from(text, 'base64')) ?? []);
  const first = packets[0]?.timestamp ?? 0;
  let seconds = 0;
  return packets.map(packet => {
    const timestamp = (packet.timestamp - first) | 0;
    seconds = Math.max(seconds, timestamp / clockRates[kind]);
    return { seconds, timestamp, marker: packet.marker, payload: packet.payload };
  });
}

function encodingArguments(options: RtpSourceOptions, seconds: number): string[] {
  const { sound = 'sine=frequency=440:sample_rate=48000' } = options;
  return [
    ...['-f', 'lavfi', '-i', pictureOf(options), '-f', 'lavfi', '-i', sound],
    ...['-c:a', 'libopus', '-ac', '2', '-b:a', '64k'],
    ...videoEncoding(options),
    ...['-t', String(seconds)],
  ];
}

function pictureOf({ picture = 'testsrc2=', filters, size = '640x360', frameRate = '30' }: RtpSourceOptions): string {
  const shape = `${picture.endsWith('=') ? '' : ':'}size=${size}:rate=${frameRate}`;
  return `${picture}${shape}${filters === undefined ? '' : `,${filters}`}`;
}

function videoEncoding({ video, frameRate = '30', bFrames }: RtpSourceOptions): string[] {
  const backward = bFrames === undefined ? [] : ['-bf', `${bFrames}`, '-b_strategy', '0'];
  return [...encoders[video], '-b:v', '1500k', '-g', frameRate, ...backward];
}
