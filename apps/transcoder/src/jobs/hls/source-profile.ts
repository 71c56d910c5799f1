import { exceedsBounds, type SourceBounds } from '@rtms/contracts';
import type { FrameSize } from '../../depacketize/frame.js';
import type { Keyframe, TimedFrame } from '../source-feed.js';
import { estimateFrameRate, framesPerSecond, type FrameRate } from './frame-rate.js';
import { renditionLadder, type VideoRung } from './rendition-ladder.js';

/** What the first frames of a run tell of its source, and the renditions that follow from it. */
export interface SourceProfile {
  size: FrameSize;
  frameRate: FrameRate;
  ladder: readonly VideoRung[];
}

/** Whether the first frames of a run, or any later picture, are more than the account may have encoded. */
export function isTooLarge(size: FrameSize, bounds: SourceBounds | undefined, frameRate?: FrameRate): boolean {
  if (!bounds) return false;
  return exceedsBounds(bounds, size, frameRate && framesPerSecond(frameRate) / rateTolerance);
}

/** Timestamps of cameras jitter: 60 frames a second are measured as up to 62. */
export const rateTolerance = 1.05;

export interface ProfileLimits {
  maxHeight?: number;
  /** How many renditions the broadcast has already: players hold on to them, so none goes. */
  fewestRenditions?: number;
}

/** How much of the source is looked at before its encoder starts: enough frames to count, and no viewer waits. */
const observedMs = 700;

export function isObservedEnough(frames: readonly TimedFrame[]): boolean {
  return spanMs(frames.filter(({ kind }) => kind === 'video')) >= observedMs;
}

/** `frames`: what was observed, `first` and what came after it. */
export function profileSource(first: Keyframe, frames: readonly TimedFrame[], limits: ProfileLimits): SourceProfile {
  const video = frames.filter(({ kind }) => kind === 'video');
  const size = video.reduce((latest, frame) => frame.size ?? latest, first.size);
  const frameRate = estimateFrameRate(video.map(({ rtpTimestamp }) => rtpTimestamp));
  const source = {
    ...size,
    framesPerSecond: framesPerSecond(frameRate),
    bitrate: bitrateOf(video),
    ...(limits.maxHeight !== undefined && { maxHeight: limits.maxHeight }),
  };
  return { size, frameRate, ladder: renditionLadder(source, limits.fewestRenditions) };
}

/** Bits a second of the frames between keyframes; these would make a short stretch look richer than it is. */
function bitrateOf(video: readonly TimedFrame[]): number | undefined {
  const between = video.filter(({ keyframe }) => !keyframe);
  const seconds = spanMs(video) / 1000;
  if (between.length < 2 || seconds <= 0) return undefined;
  const bytes = between.reduce((sum, { data }) => sum + data.length, 0);
  // Encoders for conversations start low and grow; codecs newer than H.264 say the same with fewer bits.
  return Math.round((bytes * 8 * headroom) / seconds);
}

const headroom = 2;

function spanMs(frames: readonly TimedFrame[]): number {
  const [first, last] = [frames[0], frames.at(-1)];
  return first && last ? last.timeMs - first.timeMs : 0;
}
