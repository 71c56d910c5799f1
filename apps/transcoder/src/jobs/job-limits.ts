import type { PictureSize } from '@rtms/bitstream';
import { exceedsBounds, type SourceBounds } from '@rtms/contracts';
import { framesPerSecond, type FrameRate } from '../rtp/frame-rate.js';

/** Timestamps of cameras jitter: 60 frames a second are measured as up to 62. */
export const rateTolerance = 1.05;

/** Whether a source exceeds the bounds of its account; a caller that has not measured the rate omits `frameRate`. */
export function isTooLarge(size: PictureSize, bounds: SourceBounds | undefined, frameRate?: FrameRate): boolean {
  if (!bounds) return false;
  return exceedsBounds(bounds, size, frameRate && framesPerSecond(frameRate) / rateTolerance);
}

/** Limits retries: a job that fails this often within the window gives up. */
export class FailureWindow {
  private times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  /** Counts a failure at `now` (ms) and returns true when the job must give up. */
  add(now: number): boolean {
    this.times = [...this.times.filter(time => now - time < this.windowMs), now];
    return this.times.length >= this.most;
  }
}
