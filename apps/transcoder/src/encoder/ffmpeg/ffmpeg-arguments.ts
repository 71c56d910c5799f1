import type { FfmpegFeatures } from '@rtms/ffmpeg';
import { type EncodedVideo, type EncodingPlan, audioBitrate, audioRenditionName } from '../encoder.js';
import { longestPartShare } from '../../delivery/presentation/playlists/parts.js';
import { framesPerSecond } from '../../rtp/frame-rate.js';
import { evenSound } from '../graph/composed-graph.js';

/** Length of FFmpeg's own playlist, so that each segment is read before it leaves the list. */
const listedSegments = 20;
/** FFmpeg's AAC encoder starts this much before its input. Skipping as much makes the output start at 0. */
const encoderDelaySamples = 1024;
const aacStart = evenSound(encoderDelaySamples);
/** The muxer cuts at the first keyframe after this share of a segment, so that rounding never skips a keyframe. */
const earliestCut = 0.9;

/**
 * Returns FFmpeg's arguments: one decoder, one filter graph that fixes the frame rate and scales, and one encoder and output
 * per rendition. Output files in the working directory: `<name>.m3u8`, `<name>-init.mp4`, `<name>-<n>.m4s`.
 */
export function ffmpegArguments(plan: EncodingPlan, features: FfmpegFeatures): string[] {
  return [
    ...inputArguments(plan),
    ...['-filter_complex', filterGraph(plan)],
    ...plan.video.flatMap((rung, i) => videoOutput(rung, i, plan, features)),
    ...(plan.hasAudio ? audioOutput(['-map', '0:a:0', '-af', aacStart], plan, features) : []),
  ];
}

/** The arguments after the inputs of a composition. `filters` end in `[v]`, which has the plan's frame rate, and `[a]`. */
export function composedLadder(plan: EncodingPlan, filters: string, features: FfmpegFeatures): string[] {
  return [
    ...['-filter_complex', `${filters};${scalers('[v]', plan)};[a]${aacStart}[sound]`],
    ...plan.video.flatMap((rung, i) => videoOutput(rung, i, plan, features)),
    ...audioOutput(['-map', '[sound]'], plan, features),
  ];
}

/** Decoders count padded pictures: 1920x1080 is 1920x1088 in H.264, and up to 1920x1152 in VP9. */
const paddedShare = 1.1;

/** Input option: the decoder refuses larger pictures, even if the source's headers claim a smaller size. */
export function maxPixelsArguments(pixels: number): string[] {
  return ['-max_pixels', `${Math.ceil(pixels * paddedShare)}`];
}

/** Disables probing: the Matroska header has all data, and probing delays the first segment (`nobuffer` would drop the keyframe). */
function inputArguments(plan: EncodingPlan): string[] {
  const general = ['-hide_banner', '-nostats', '-loglevel', 'warning', '-y'];
  return [...general, ...(plan.input === 'slate' ? slateInput(plan) : streamInput(plan))];
}

/** Input 0 sets the pace. Small pictures are enough for black: the filter graph scales them to each rendition. */
function slateInput({ frameRate, still, video }: EncodingPlan): string[] {
  const { width, height } = (still && video[0]) ?? { width: 64, height: 64 };
  const picture = `color=black:size=${width}x${height}:rate=${frameRate.numerator}/${frameRate.denominator}`;
  return [
    ...['-re', '-f', 'lavfi', '-i', `${picture}[out0];anullsrc=sample_rate=48000:channel_layout=stereo[out1]`],
    ...(still ? ['-fpsprobesize', '0', '-analyzeduration', '0', '-threads', '2', '-f', 'mp4', '-i', 'pipe:0'] : []),
  ];
}

function streamInput({ maxPixels }: EncodingPlan): string[] {
  return [
    ...['-fpsprobesize', '0', '-analyzeduration', '0'],
    ...(maxPixels === undefined ? [] : maxPixelsArguments(maxPixels)),
    ...['-threads', '2', '-f', 'matroska', '-i', 'pipe:0'],
  ];
}

/** Fixes the rate before the split, so that all renditions have the same frames at the same times. */
function filterGraph(plan: EncodingPlan): string {
  const { video, frameRate } = plan;
  const rate = `fps=${frameRate.numerator}/${frameRate.denominator}`;
  return scalers(`${sourceGraph(plan)}${rate},`, { video });
}

/** `input`: a label, or filters that end in a comma. */
function scalers(input: string, { video }: Pick<EncodingPlan, 'video'>): string {
  const split = `${input}split=${video.length}${video.map((_, i) => `[s${i}]`).join('')}`;
  const chains = video.map(({ width, height }, i) => `[s${i}]scale=${width}:${height},setsar=1,format=yuv420p[v${i}]`);
  return [split, ...chains].join(';');
}

/** Before the start of the slate, so that of the pictures of a segment only the last one is seen. */
const beforeTheSlate = 'setpts=PTS-3600/TB';
const halfLight = 'lutyuv=y=16+(val-16)/2:u=128+(val-128)/2:v=128+(val-128)/2';

function sourceGraph({ still, video: [best] }: EncodingPlan): string {
  if (!still || !best) return '[0:v:0]';
  const fit = `scale=${best.width}:${best.height}:force_original_aspect_ratio=decrease`;
  const picture = [beforeTheSlate, fit, ...(still.isDimmed ? [halfLight] : [])].join(',');
  return `[1:v:0]${picture}[still];[0:v:0][still]overlay=(W-w)/2:(H-h)/2,`;
}

function videoOutput(rung: EncodedVideo, index: number, plan: EncodingPlan, features: FfmpegFeatures): string[] {
  const longestGroup = Math.ceil(framesPerSecond(plan.frameRate) * plan.segmentSeconds) * 2;
  return [
    ...['-map', `[v${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'],
    // The encoder would otherwise keep pictures for seconds, as there are few.
    ...(plan.input === 'slate' || plan.partSeconds !== undefined ? ['-tune', 'zerolatency'] : []),
    ...['-b:v', `${rung.bitrate}`, '-maxrate', `${Math.round(rung.bitrate * 1.1)}`, '-bufsize', `${rung.bitrate}`],
    // Only the time sets keyframes. Without B-frames, decode and presentation times start together in every segment.
    ...['-g', `${longestGroup}`, '-keyint_min', `${longestGroup}`, '-sc_threshold', '0', '-bf', '0', '-flags', '+cgop'],
    ...['-force_key_frames', `expr:gte(t,n_forced*${plan.segmentSeconds})`],
    ...(plan.partSeconds === undefined
      ? hlsOutput(rung.name, plan.segmentSeconds * earliestCut, features)
      : segmentOutput(rung.name, plan, framesPerSecond(plan.frameRate), features)),
  ];
}

/**
 * Uses the segment muxer for audio. It cuts at the frame nearest to each multiple of the segment time. AAC frames do not
 * divide a segment evenly, so the HLS muxer, which counts from the last cut, would drift from the video.
 */
function audioOutput(input: readonly string[], plan: EncodingPlan, features: FfmpegFeatures): string[] {
  return [
    ...[...input, '-ar', '48000', '-ac', '2'],
    ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', `${audioBitrate}`],
    ...segmentOutput(audioRenditionName, plan, aacFramesPerSecond, features),
  ];
}

const aacFramesPerSecond = 48_000 / 1024;

/** With `partSeconds`, the segment also has fragments of a whole number of frames, each written at once. */
function segmentOutput(
  name: string,
  { segmentSeconds, partSeconds }: EncodingPlan,
  framesPerSecond: number,
  features: FfmpegFeatures,
): string[] {
  const flags = `+frag_custom+empty_moov+default_base_moof${features.cmaf ? '+cmaf' : ''}`;
  const parts = partSeconds === undefined ? '' : fragmentOptions(partSeconds, framesPerSecond);
  return [
    ...['-f', 'segment', '-segment_time', `${segmentSeconds}`, '-individual_header_trailer', '0'],
    ...['-segment_format', 'mp4', '-segment_format_options', `movflags=${flags}${parts}`],
    ...['-segment_header_filename', `${name}-init.mp4`, '-segment_list_type', 'm3u8', '-segment_list', `${name}.m3u8`],
    ...['-segment_list_size', `${listedSegments}`, `${name}-%d.m4s`],
  ];
}

/** FFmpeg ends a fragment before the first frame that is so many µs after its beginning. Half a frame avoids rounding. */
function fragmentOptions(partSeconds: number, framesPerSecond: number): string {
  const most = Math.floor(partSeconds * longestPartShare * framesPerSecond + 1e-6);
  const frames = Math.max(1, Math.min(most, Math.round(partSeconds * framesPerSecond)));
  const microseconds = Math.round(((frames - 0.5) / framesPerSecond) * 1_000_000);
  return `:frag_duration=${microseconds}:flush_packets=1`;
}

function hlsOutput(name: string, cutSeconds: number, features: FfmpegFeatures): string[] {
  return [
    ...['-f', 'hls', '-hls_time', `${cutSeconds}`, '-hls_list_size', `${listedSegments}`],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'temp_file+independent_segments'],
    ...(features.cmaf ? ['-hls_segment_options', 'movflags=+cmaf'] : []),
    ...['-hls_fmp4_init_filename', `${name}-init.mp4`, '-hls_segment_filename', `${name}-%d.m4s`, `${name}.m3u8`],
  ];
}
