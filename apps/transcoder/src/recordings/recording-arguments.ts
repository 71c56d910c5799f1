import type { FrameSize } from '../depacketize/frame.js';
import { maxPixelsArguments } from '../jobs/hls/ffmpeg-arguments.js';
import { area, isCopied, type JoinPlan } from './part-shape.js';
import type { CapturePlan } from './recorder.js';

/** A crash loses what is in the fragment that was not finished. */
const fragmentMicroseconds = 1_000_000;

/** A Matroska stream from stdin becomes a fragmented MP4 file. */
export function captureArguments({ codecs, shape: { video }, path, maxPixels }: CapturePlan): string[] {
  const isCopy = codecs.video === undefined || isCopied(codecs.video.codec);
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-y'],
    // The stream's header says all that probing would find out.
    ...['-fpsprobesize', '0', '-analyzeduration', '0'],
    ...(isCopy || maxPixels === undefined ? [] : maxPixelsArguments(maxPixels)),
    ...['-f', 'matroska', '-i', 'pipe:0'],
    ...(isCopy || !video ? ['-map', '0', '-c', 'copy'] : ['-map', '0', '-c:a', 'copy', ...liveEncoding(video.size)]),
    ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-frag_duration', `${fragmentMicroseconds}`],
    ...['-flush_packets', '1', '-f', 'mp4', path],
  ];
}

/** Parts that the concat demuxer lists become one file that can be played while it is fetched. */
export function joinArguments(plan: JoinPlan, list: string, file: string): string[] {
  return [
    ...['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'warning', '-y'],
    ...(plan.kind === 'copy' ? [] : maxPixelsArguments(area(plan.size))),
    ...['-f', 'concat', '-safe', '0', '-i', list, '-map', '0'],
    ...(plan.kind === 'copy' ? ['-c', 'copy'] : ['-c:a', 'copy', ...encoding(plan.size)]),
    ...['-movflags', '+faststart', '-f', 'mp4', file],
  ];
}

/** Nothing is held back in the encoder, so that a crash loses no more than of a copied picture. */
function liveEncoding(size: FrameSize): string[] {
  return [...encoding(size), '-tune', 'zerolatency'];
}

/** A keyframe every two seconds to seek to; the times of the pictures stay as they are. */
function encoding({ width, height }: FrameSize): string[] {
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  return [
    ...['-vf', `${scale},pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`, '-vsync', 'vfr'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '23',
      '-bf',
      '0',
      '-force_key_frames',
      'expr:gte(t,n_forced*2)',
    ],
  ];
}
