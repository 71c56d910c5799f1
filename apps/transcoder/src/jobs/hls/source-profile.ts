import type { FrameSize } from '../../depacketize/frame.js';
import type { TimedFrame } from '../source-feed.js';
import { estimateFrameRate, framesPerSecond, type FrameRate } from './frame-rate.js';
import { refitLadder, renditionLadder, type VideoRung } from './rendition-ladder.js';

/** What the first frames of a run tell of its source, and the renditions that follow from it. */
export interface SourceProfile {
  size: FrameSize;
  frameRate: FrameRate;
  ladder: readonly VideoRung[];
}

export interface ProfileLimits {
  maxHeight?: number;
  /** Of the broadcast's first run; later runs keep its renditions by name. */
  ladder?: readonly VideoRung[];
}

/** How much of the source is looked at before its encoder starts: enough frames to count, and no viewer waits. */
const observedMs = 700;

export function isObservedEnough(frames: readonly TimedFrame[]): boolean {
  const video = frames.filter(({ kind }) => kind === 'video');
  return video.length > 1 && video.at(-1)!.timeMs - video[0]!.timeMs >= observedMs;
}

/** `frames` begin with a keyframe. */
export function profileSource(frames: readonly TimedFrame[], { maxHeight, ladder }: ProfileLimits): SourceProfile {
  const video = frames.filter(({ kind }) => kind === 'video');
  const size = video.findLast(frame => frame.size)!.size!;
  const frameRate = estimateFrameRate(video.map(({ rtpTimestamp }) => rtpTimestamp));
  const source = {
    ...size,
    framesPerSecond: framesPerSecond(frameRate),
    bitrate: bitrateOf(video),
    ...(maxHeight !== undefined && { maxHeight }),
  };
  return { size, frameRate, ladder: ladder ? refitLadder(ladder, source) : renditionLadder(source) };
}

/** Bits a second of the frames between keyframes; these would make a short stretch look richer than it is. */
function bitrateOf(video: readonly TimedFrame[]): number | undefined {
  const between = video.filter(({ keyframe }) => !keyframe);
  const seconds = (video.at(-1)!.timeMs - video[0]!.timeMs) / 1000;
  if (between.length < 2 || seconds <= 0) return undefined;
  const bytes = between.reduce((sum, { data }) => sum + data.length, 0);
  // Encoders for conversations start low and grow; codecs newer than H.264 say the same with fewer bits.
  return Math.round((bytes * 8 * headroom) / seconds);
}

const headroom = 2;
