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
