import type { PictureSize } from '@rtms/bitstream';
import { topLines } from './rendition-ladder.js';

/** ms that a size must be stable before a new run, because senders probe sizes and grow in steps. */
const settledMs = 3_000;
/** Minimum ms between two runs because of size, since each run is a discontinuity for every player. */
export const resizeIntervalMs = 10_000;

export type SizeChange = 'none' | 'smaller' | 'larger' | 'other-shape';
/** `renew-at-keyframe`: a new run is due, but this frame is no keyframe. */
export type SizeVerdict = 'keep' | 'renew-at-keyframe' | 'renew';

export interface SizeWatchOptions {
  /** Maximum lines. Sizes above change no rendition. */
  maxHeight?: number;
  /** ms. Until then the current run scales another size of the same shape. */
  resizableFromMs?: number;
}

/** Compares a new source size with the size of the current run. */
export function compareSizes(encoded: PictureSize, size: PictureSize, maxHeight?: number): SizeChange {
  if (!isSameShape(encoded, size)) return 'other-shape';
  const difference = topLines(size, maxHeight) - topLines(encoded, maxHeight);
  if (difference === 0) return 'none';
  return difference > 0 ? 'larger' : 'smaller';
}

/** Decides when a changed source size needs a new run. */
export class SizeWatch {
  private change: SizeChange = 'none';
  private sinceMs = 0;

  constructor(
    private readonly encoded: PictureSize,
    private readonly options: SizeWatchOptions,
  ) {}

  /** Call it for each video frame. Keyframes have `size`. */
  onFrame({ size, timeMs }: { size?: PictureSize; timeMs: number }): SizeVerdict {
    if (size) this.note(compareSizes(this.encoded, size, this.options.maxHeight), timeMs);
    if (this.change === 'other-shape') return 'renew';
    if (!this.isDue(timeMs)) return 'keep';
    return size ? 'renew' : 'renew-at-keyframe';
  }

  private note(change: SizeChange, timeMs: number): void {
    if (change !== this.change) this.sinceMs = timeMs;
    this.change = change;
  }

  private isDue(timeMs: number): boolean {
    const { resizableFromMs = 0 } = this.options;
    return this.change !== 'none' && timeMs - this.sinceMs >= settledMs && timeMs >= resizableFromMs;
  }
}

/** Compares aspect ratios with a tolerance for even sizes. */
function isSameShape(a: PictureSize, b: PictureSize): boolean {
  const ratio = a.width / a.height / (b.width / b.height);
  return ratio > 0.95 && ratio < 1.05;
}
