import type { EncodedVideo, EncodingPlan } from '../encoder/encoder.js';
import { audioBitrate, audioRenditionName } from '../encoder/encoder.js';
import { framesPerSecond } from './frame-rate.js';

/** What differs between the FFmpegs that the service runs with. */
export interface FfmpegFeatures {
  /** Knows `hls_segment_options`, and `movflags=+cmaf` for the `cmfc` brand. */
  cmaf: boolean;
}

/** Segments in FFmpeg's own playlist: enough to read them before they leave it. */
const listedSegments = 20;
/** FFmpeg's AAC encoder begins this much before its input; as much is left out, so that its output begins at 0. */
const encoderDelaySamples = 1024;
/** The muxer cuts at the first keyframe after this share of a segment, so that rounding never makes it miss one. */
const earliestCut = 0.9;

/**
 * One decoder, one filter graph that fixes the frame rate and scales, one encoder and one output a rendition, all
 * files in the directory that FFmpeg runs in: `<name>.m3u8`, `<name>-init.mp4`, `<name>-<n>.m4s`.
 */
export function ffmpegArguments(plan: EncodingPlan, features: FfmpegFeatures): string[] {
  return [
    ...inputArguments(plan),
    ...['-filter_complex', filterGraph(plan)],
    ...plan.video.flatMap((rung, i) => videoOutput(rung, i, plan, features)),
    ...(plan.hasAudio ? audioOutput(plan, features) : []),
  ];
}

/** Decoders count the whole blocks of a picture: 1920x1080 is 1920x1088 in H.264, and up to 1920x1152 in VP9. */
const paddedShare = 1.1;

/** Of an input: no decoder takes a larger picture, whatever the source's own headers say. */
export function maxPixelsArguments(pixels: number): string[] {
  return ['-max_pixels', `${Math.ceil(pixels * paddedShare)}`];
}

/** The header says all that probing would find out; waiting for it would only delay the first segment (and `nobuffer` would drop the keyframe that is probed). */
function inputArguments({ maxPixels }: EncodingPlan): string[] {
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-y'],
    ...['-fpsprobesize', '0', '-analyzeduration', '0'],
    ...(maxPixels === undefined ? [] : maxPixelsArguments(maxPixels)),
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

function videoOutput(rung: EncodedVideo, index: number, plan: EncodingPlan, features: FfmpegFeatures): string[] {
  const longestGroup = Math.ceil(framesPerSecond(plan.frameRate) * plan.segmentSeconds) * 2;
  return [
    ...['-map', `[v${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'],
    ...['-b:v', `${rung.bitrate}`, '-maxrate', `${Math.round(rung.bitrate * 1.1)}`, '-bufsize', `${rung.bitrate}`],
    // Keyframes come by time alone. Without B-frames, decoding and presentation begin together in every segment.
    ...['-g', `${longestGroup}`, '-keyint_min', `${longestGroup}`, '-sc_threshold', '0', '-bf', '0', '-flags', '+cgop'],
    ...['-force_key_frames', `expr:gte(t,n_forced*${plan.segmentSeconds})`],
    ...hlsOutput(rung.name, plan.segmentSeconds * earliestCut, features),
  ];
}

/**
 * AAC frames don't divide a segment evenly. The segment muxer cuts at the frame next to each multiple of it, where
 * the HLS muxer would count from each cut anew and drift away from the video.
 */
function audioOutput(plan: EncodingPlan, features: FfmpegFeatures): string[] {
  const name = audioRenditionName;
  const flags = `+frag_custom+empty_moov+default_base_moof${features.cmaf ? '+cmaf' : ''}`;
  return [
    ...['-map', '0:a:0', '-af', `aresample=async=1000:first_pts=${encoderDelaySamples}`, '-ar', '48000', '-ac', '2'],
    ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', `${audioBitrate}`],
    ...['-f', 'segment', '-segment_time', `${plan.segmentSeconds}`, '-individual_header_trailer', '0'],
    ...['-segment_format', 'mp4', '-segment_format_options', `movflags=${flags}`],
    ...['-segment_header_filename', `${name}-init.mp4`, '-segment_list_type', 'm3u8', '-segment_list', `${name}.m3u8`],
    ...['-segment_list_size', `${listedSegments}`, `${name}-%d.m4s`],
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
