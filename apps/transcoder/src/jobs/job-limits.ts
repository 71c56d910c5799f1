import type { PictureSize } from '@rtms/bitstream';
import { exceedsBounds, ServiceError, type SourceBounds } from '@rtms/contracts';
import type { DrainState } from '@rtms/node';
import { framesPerSecond, type FrameRate } from '../rtp/frame-rate.js';

/** Timestamps of cameras jitter: 60 frames a second are measured as up to 62. */
export const rateTolerance = 1.05;

/** Whether a source exceeds the bounds of its account; a caller that has not measured the rate omits `frameRate`. */
export function isTooLarge(size: PictureSize, bounds: SourceBounds | undefined, frameRate?: FrameRate): boolean {
  if (!bounds) return false;
  return exceedsBounds(bounds, size, frameRate && framesPerSecond(frameRate) / rateTolerance);
}

/** Throws if this node cannot take another job. The gateway then tries another transcoder. */
export function requireCapacity({ isDraining }: DrainState, load: number, most: number): void {
  if (isDraining)
    throw new ServiceError('controller_unavailable', 'This transcoder is draining. Try again in a moment.');
  if (load >= most) throw new ServiceError('capacity_reached', 'All transcoders are busy. Try again in a moment.');
}

const failureWindowMs = 60_000;

/** Counts the failures of a job's process in the last minute. */
export class Failures {
  private times: number[] = [];

  constructor(private readonly most = 5) {}

  /** Counts one at `now` (ms). Returns whether the job must give up. */
  add(now: number): boolean {
    this.times = [...this.times.filter(time => now - time < failureWindowMs), now];
    return this.times.length >= this.most;
  }
}
