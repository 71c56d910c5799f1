import type { EncodingPlan } from '../encoder/encoder.js';
import { audioBitrate, audioRenditionName } from '../encoder/encoder.js';
import { framesPerSecond } from './frame-rate.js';
import type { VideoRung } from './rendition-ladder.js';

/** What differs between the FFmpegs that the service runs with. */
export interface FfmpegFeatures {
  /** Knows `hls_segment_options` and `movflags=+cmaf` (the `cmfc` brand). */
  cmaf: boolean;
}

/** Segments in FFmpeg's own playlist: enough to read them before they leave it. */
const listedSegments = 20;
/** The muxer cuts at the first keyframe after this share of a segment, so that rounding never makes it miss one. */
const earliestCut = 0.9;

/**
 * One decoder, one filter graph that fixes the frame rate and scales, one encoder and one HLS output a rendition,
 * all files in the directory that FFmpeg runs in: `<name>.m3u8`, `<name>-init.mp4`, `<name>-<n>.m4s`.
 */
export function ffmpegArguments(plan: EncodingPlan, features: FfmpegFeatures): string[] {
  return [
    ...inputArguments(),
    ...['-filter_complex', filterGraph(plan)],
    ...plan.video.flatMap((rung, i) => videoOutput(rung, i, plan, features)),
    ...(plan.hasAudio ? audioOutput(plan, features) : []),
  ];
}

/** The header says all that probing would find out; waiting for it would only delay the first segment. */
function inputArguments(): string[] {
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-y'],
    ...['-fflags', '+nobuffer', '-fpsprobesize', '0', '-analyzeduration', '0'],
    ...['-threads', '2', '-f', 'matroska', '-i', 'pipe:0'],
  ];
}

/** The rate is fixed before the split: all renditions have the same frames at the same times. */
function filterGraph({ video, frameRate }: EncodingPlan): string {
  const rate = `fps=${frameRate.numerator}/${frameRate.denominator}`;
  const split = `[0:v:0]${rate},split=${video.length}${video.map((_, i) => `[s${i}]`).join('')}`;
  const scalers = video.map(({ width, height }, i) => `[s${i}]scale=${width}:${height},setsar=1,format=yuv420p[v${i}]`);
  return [split, ...scalers].join(';');
}

function videoOutput(rung: VideoRung, index: number, plan: EncodingPlan, features: FfmpegFeatures): string[] {
  const longestGroup = Math.ceil(framesPerSecond(plan.frameRate) * plan.segmentSeconds) * 2;
  return [
    ...['-map', `[v${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-vsync', 'cfr'],
    ...['-b:v', `${rung.bitrate}`, '-maxrate', `${Math.round(rung.bitrate * 1.1)}`, '-bufsize', `${rung.bitrate}`],
    // Keyframes come by time alone. Without B-frames, decoding and presentation begin together in every segment.
    ...['-g', `${longestGroup}`, '-keyint_min', `${longestGroup}`, '-sc_threshold', '0', '-bf', '0', '-flags', '+cgop'],
    ...['-force_key_frames', `expr:gte(t,n_forced*${plan.segmentSeconds})`],
    ...hlsOutput(rung.name, plan.segmentSeconds * earliestCut, features),
  ];
}

function audioOutput(plan: EncodingPlan, features: FfmpegFeatures): string[] {
  return [
    ...['-map', '0:a:0', '-af', 'aresample=async=1000:first_pts=0', '-ar', '48000', '-ac', '2'],
    ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', `${audioBitrate}`],
    ...hlsOutput(audioRenditionName, plan.segmentSeconds, features),
  ];
}

function hlsOutput(name: string, cutSeconds: number, features: FfmpegFeatures): string[] {
  return [
    ...['-f', 'hls', '-hls_time', `${cutSeconds}`, '-hls_list_size', `${listedSegments}`],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'temp_file+independent_segments'],
    ...(features.cmaf ? ['-hls_segment_options', 'movflags=+cmaf'] : []),
    ...['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', `${name}-%d.m4s`, `${name}.m3u8`],
  ];
}
