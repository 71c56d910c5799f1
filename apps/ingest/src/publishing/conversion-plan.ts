import { exceedsBounds, type IngestProblem, type MediaKind, type SourceBounds } from '@rtms/contracts';
import type { Ffmpeg } from '@rtms/ffmpeg';
import { probingArguments, type Container, type InspectedMedia, type InspectedVideo } from './media-probe.js';

/** How FFmpeg makes WebRTC media of an encoder's. Audio always becomes Opus. */
export interface ConversionPlan {
  container: Container;
  kinds: readonly MediaKind[];
  /** `copy`: H264 without B-frames, in a usual profile; undefined without video. */
  video?: 'copy' | { frameRate: number; bitrate: number };
}

/** Profiles of H264 for studios: ten bits, 4:2:2, 4:4:4 and others. Browsers do not decode them. */
const rareProfile = /^(?:Extended|High .+|CAVLC .+|Multiview .+|Stereo .+)$/;

/** Bits for each pixel of baseline H264 at 30 pictures a second: 720p gets 2.8 Mbit/s. */
const bitsPerPixel = 0.1;
const bitrates = { least: 300_000, most: 8_000_000 };
const usualFrameRate = 30;

/** Packets of RTP with SRTP, UDP and IP headers fit into 1,280 bytes, the least MTU of IPv6. */
const packetBytes = 1_200;

/** Decides how to convert the media, or why it cannot be published. */
export function planConversion(
  media: InspectedMedia,
  { container, kinds, maxSource }: Pick<ConversionPlan, 'container' | 'kinds'> & { maxSource: SourceBounds },
  { decoders }: Pick<Ffmpeg, 'decoders'>,
): ConversionPlan | IngestProblem {
  if (!media.audio && !media.video) return 'no_media';
  if (kinds.some(kind => !media[kind])) return 'track_missing';
  if (kinds.some(kind => !decoders.has(media[kind]?.codec ?? ''))) return 'codec_unsupported';
  const video = kinds.includes('video') ? media.video : undefined;
  if (!video) return { container, kinds };
  if (canCopy(video)) return { container, kinds, video: 'copy' };
  if (exceedsBounds(maxSource, video, video.frameRate)) return 'source_too_large';
  return { container, kinds, video: encodingOf(video) };
}

function canCopy({ codec, hasBFrames, profile = '' }: InspectedVideo): boolean {
  return codec === 'h264' && !hasBFrames && !rareProfile.test(profile);
}

function encodingOf({ width, height, frameRate: measured }: InspectedVideo): { frameRate: number; bitrate: number } {
  const frameRate = measured || usualFrameRate;
  const wanted = width * height * frameRate * bitsPerPixel;
  return { frameRate, bitrate: Math.round(Math.min(Math.max(wanted, bitrates.least), bitrates.most)) };
}

/** Arguments of the FFmpeg that reads the encoder's media on stdin and records it to an RTSP server of ours. */
export function conversionArguments({ container, kinds, video }: ConversionPlan, address: string): string[] {
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', ...probingArguments],
    ...['-f', container, '-i', 'pipe:0'],
    ...(video === undefined ? [] : ['-map', '0:v:0', ...videoArguments(video)]),
    ...(kinds.includes('audio') ? ['-map', '0:a:0', ...audioArguments] : []),
    // A kind that pauses does not hold up the other one for longer than this.
    ...['-max_interleave_delta', '500000', '-flush_packets', '1'],
    ...['-f', 'rtsp', '-rtsp_transport', 'tcp', '-pkt_size', `${packetBytes}`, address],
  ];
}

/** Viewers cannot ask the encoder for a keyframe, so each one carries the parameter sets, and a new encoding has one a second. */
function videoArguments(video: NonNullable<ConversionPlan['video']>): string[] {
  if (video === 'copy') return ['-c:v', 'copy', '-bsf:v', 'h264_mp4toannexb,dump_extra=freq=keyframe'];
  const rate = String(video.bitrate);
  return [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'baseline'],
    // By time, because the frame rate may vary. Without `vsync`, FFmpeg fills each pause with copies of the last picture.
    ...[
      '-pix_fmt',
      'yuv420p',
      '-bf',
      '0',
      '-vsync',
      'vfr',
      '-force_key_frames',
      'expr:isnan(prev_forced_t)+gte(t,prev_forced_t+1)',
    ],
    // x264 takes even sides only.
    ...['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2'],
    ...['-b:v', rate, '-maxrate', rate, '-bufsize', rate, '-bsf:v', 'dump_extra=freq=keyframe'],
  ];
}

/** `async`: gaps of the encoder's audio become silence, so that audio does not run ahead of video. */
const audioArguments = [
  ...['-af', 'aresample=async=1000', '-ar', '48000', '-ac', '2'],
  ...['-c:a', 'libopus', '-b:a', '128k', '-frame_duration', '20'],
];
