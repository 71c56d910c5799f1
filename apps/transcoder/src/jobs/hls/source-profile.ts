import type { PictureSize } from '@rtms/bitstream';
import type { Keyframe, TimedFrame } from '../../rtp/source-feed.js';
import { estimateFrameRate, framesPerSecond, type FrameRate } from '../../rtp/frame-rate.js';
import { renditionLadder, type VideoRung } from './rendition-ladder.js';

/** Properties of the source from the first frames of a run, and the renditions for it. */
export interface SourceProfile {
  size: PictureSize;
  frameRate: FrameRate;
  ladder: readonly VideoRung[];
}

export interface ProfileLimits {
  maxHeight?: number;
  /** Number of published renditions. Players use them, so none may disappear. */
  fewestRenditions?: number;
}

/** ms of the source to observe before the encoder starts: enough frames to measure, without a delay that viewers notice. */
const observedMs = 700;

export function isObservedEnough(frames: readonly TimedFrame[]): boolean {
  return spanMs(frames.filter(({ kind }) => kind === 'video')) >= observedMs;
}

/** `frames` are the observed frames, from `first` on. */
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

/** Bits per second without keyframes, which would raise the rate of a short observation. */
function bitrateOf(video: readonly TimedFrame[]): number | undefined {
  const between = video.filter(({ keyframe }) => !keyframe);
  const seconds = spanMs(video) / 1000;
  if (between.length < 2 || seconds <= 0) return undefined;
  const bytes = between.reduce((sum, { data }) => sum + data.length, 0);
  // WebRTC encoders start low and grow, and codecs newer than H.264 need fewer bits.
  return Math.round((bytes * 8 * headroom) / seconds);
}

const headroom = 2;

function spanMs(frames: readonly TimedFrame[]): number {
  const [first, last] = [frames[0], frames.at(-1)];
  return first && last ? last.timeMs - first.timeMs : 0;
}
