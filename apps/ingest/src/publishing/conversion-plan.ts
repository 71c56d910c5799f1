import { exceedsBounds, type IngestProblem, type MediaKind, type SourceBounds } from '@rtms/contracts';
import { boundedBitrate, rtpPacketBytes, type Ffmpeg } from '@rtms/ffmpeg';
import { probingArguments, type Container, type InspectedMedia, type InspectedVideo } from './media-probe.js';

/** How FFmpeg makes WebRTC media of an encoder's. Audio always becomes Opus. */
export interface ConversionPlan {
  container: Container;
  kinds: readonly MediaKind[];
  /** Absent: FFmpeg finds the decoder itself. */
  audioDecoder?: string;
  /** `copy`: H264 in a usual profile; undefined without video. */
  video?: 'copy' | VideoEncoding;
  /** Of copied video. Browsers cannot show them, so the SFU must know. Absent: none. */
  hasBFrames?: boolean;
  /** Smaller pictures of the same video, the larger one first. */
  renditions: readonly Rendition[];
}

interface VideoEncoding {
  frameRate: number;
  bitrate: number;
}

export interface Rendition extends VideoEncoding {
  width: number;
  height: number;
}

/** Profiles of H264 for studios: ten bits, 4:2:2, 4:4:4 and others. Browsers do not decode them. */
const rareProfile = /^(?:Extended|High .+|CAVLC .+|Multiview .+|Stereo .+)$/;

/** Bits for each pixel of baseline H264 at 30 pictures a second: 720p gets 2.8 Mbit/s. */
const bitsPerPixel = 0.1;
const usualFrameRate = 30;

/** The SFU orders layers by their bits, so a smaller picture gets clearly less than the larger one. */
const shareOfLarger = 0.5;
/** By the shorter side. A smaller picture helps no viewer. */
const leastLines = 120;
const leastRenditionBitrate = 60_000;
const divisors = [2, 4];

export interface ConversionWish {
  container: Container;
  kinds: readonly MediaKind[];
  maxSource: SourceBounds;
  webrtcRenditions?: boolean | undefined;
}

/** Decides how to convert the media, or why it cannot be published. */
export function planConversion(
  media: InspectedMedia,
  wish: ConversionWish,
  { decoders }: Pick<Ffmpeg, 'decoders'>,
): ConversionPlan | IngestProblem {
  const { container, kinds } = wish;
  if (!media.audio && !media.video) return 'no_media';
  if (kinds.some(kind => !media[kind])) return 'track_missing';
  if (kinds.some(kind => !decoders.has(media[kind]?.codec ?? ''))) return 'codec_unsupported';
  const video = kinds.includes('video') ? media.video : undefined;
  const source = { container, kinds, ...(media.audio?.isUnnamed && { audioDecoder: media.audio.codec }) };
  if (!video) return { ...source, hasBFrames: false, renditions: [] };
  const planned = planVideo(video, wish);
  return typeof planned === 'string' ? planned : { ...source, ...planned };
}

function planVideo(
  video: InspectedVideo,
  { maxSource, webrtcRenditions = false }: ConversionWish,
): Required<Pick<ConversionPlan, 'video' | 'hasBFrames' | 'renditions'>> | IngestProblem {
  const mayCopy = canCopy(video, webrtcRenditions);
  if (mayCopy && !webrtcRenditions) return { video: 'copy', hasBFrames: video.hasBFrames, renditions: [] };
  if (exceedsBounds(maxSource, video, video.frameRate)) return 'source_too_large';
  const encoding = encodingOf(video);
  const { bitrate } = mayCopy && video.bitrate > 0 ? video : encoding;
  const renditions = webrtcRenditions ? renditionsOf(video, bitrate) : [];
  return { video: mayCopy ? 'copy' : encoding, hasBFrames: false, renditions };
}

/**
 * The SFU asks a transcoder to remove B-frames while somebody watches by WebRTC, but not from simulcast. mediasoup routes no HEVC and no MPEG-2.
 */
function canCopy({ codec, hasBFrames, profile = '' }: InspectedVideo, isSimulcast: boolean): boolean {
  return codec === 'h264' && !(hasBFrames && isSimulcast) && !rareProfile.test(profile);
}

/** Half and a quarter of the lines, with even sides as 4:2:0 needs them. */
function renditionsOf(video: InspectedVideo, sourceBitrate: number): Rendition[] {
  const { width, height } = video;
  const renditions: Rendition[] = [];
  for (const divisor of divisors.filter(each => Math.min(width, height) / each >= leastLines)) {
    const [smallWidth, smallHeight] = [width, height].map(side => 2 * Math.round(side / divisor / 2)) as [
      number,
      number,
    ];
    const encoding = encodingOf({ ...video, width: smallWidth, height: smallHeight }, leastRenditionBitrate);
    const most = (renditions.at(-1)?.bitrate ?? sourceBitrate) * shareOfLarger;
    const bitrate = Math.max(leastRenditionBitrate, Math.round(Math.min(encoding.bitrate, most)));
    renditions.push({ ...encoding, bitrate, width: smallWidth, height: smallHeight });
  }
  return renditions;
}

function encodingOf({ width, height, frameRate: measured }: InspectedVideo, least?: number): VideoEncoding {
  const frameRate = measured || usualFrameRate;
  return { frameRate, bitrate: boundedBitrate(width * height * frameRate * bitsPerPixel, least) };
}

/**
 * Arguments of the FFmpeg that reads the encoder's media on stdin and records it to an RTSP server of ours. The beginning of the media lasts
 * `beginningMs` and has all kinds, so FFmpeg need not wait for more.
 */
export function conversionArguments(plan: ConversionPlan, address: string, beginningMs: number): string[] {
  const { container, kinds, audioDecoder, video, renditions } = plan;
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', ...probingArguments(beginningMs)],
    ...(audioDecoder === undefined ? [] : ['-c:a', audioDecoder]),
    ...['-f', container, '-i', 'pipe:0', ...scaling(renditions)],
    ...(video === undefined ? [] : ['-map', '0:v:0', ...videoArguments(video, 0)]),
    ...renditions.flatMap((rendition, i) => ['-map', `[r${i}]`, ...videoArguments(rendition, i + 1)]),
    ...(kinds.includes('audio') ? ['-map', '0:a:0', ...audioArguments] : []),
    // A kind that pauses does not hold up the other one for longer than this.
    ...['-max_interleave_delta', '500000', '-flush_packets', '1'],
    ...['-f', 'rtsp', '-rtsp_transport', 'tcp', '-pkt_size', `${rtpPacketBytes}`, address],
  ];
}

function scaling(renditions: readonly Rendition[]): string[] {
  if (renditions.length === 0) return [];
  const split = `[0:v:0]split=${renditions.length}${renditions.map((_, i) => `[s${i}]`).join('')}`;
  const scalers = renditions.map(({ width, height }, i) => `[s${i}]scale=${width}:${height},setsar=1[r${i}]`);
  return ['-filter_complex', [split, ...scalers].join(';')];
}

/** Viewers cannot ask the encoder for a keyframe, so each one carries the parameter sets, and a new encoding has one a second. */
function videoArguments(video: NonNullable<ConversionPlan['video']>, index: number): string[] {
  const option = (name: string, value: string): string[] => [`-${name}:v:${index}`, value];
  if (video === 'copy') return [...option('c', 'copy'), ...option('bsf', 'h264_mp4toannexb,dump_extra=freq=keyframe')];
  const rate = String(video.bitrate);
  return [
    ...[...option('c', 'libx264'), ...option('preset', 'veryfast'), ...option('tune', 'zerolatency')],
    ...[...option('profile', 'baseline'), ...option('pix_fmt', 'yuv420p'), ...option('bf', '0')],
    // The frame rate may vary. Without `vsync`, FFmpeg fills each pause with copies of the last picture. Without `enc_time_base`, it
    // rounds times to the frame rate that it guesses. Keyframes come by time.
    ...['-vsync', 'vfr', ...option('enc_time_base', '1/90000')],
    ...option('force_key_frames', 'expr:isnan(prev_forced_t)+gte(t,prev_forced_t+1)'),
    // x264 takes even sides only. Smaller pictures have them.
    ...(index === 0 ? option('filter', 'crop=trunc(iw/2)*2:trunc(ih/2)*2') : []),
    ...[...option('b', rate), ...option('maxrate', rate), ...option('bufsize', rate)],
    ...option('bsf', 'dump_extra=freq=keyframe'),
  ];
}

/** `async`: gaps of the encoder's audio become silence, so that audio does not run ahead of video. */
const audioArguments = [
  ...['-af', 'aresample=async=1000', '-ar', '48000', '-ac', '2'],
  ...['-c:a', 'libopus', '-b:a', '128k', '-frame_duration', '20'],
];
