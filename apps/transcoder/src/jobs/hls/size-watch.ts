import type { FrameSize } from '../../depacketize/frame.js';
import { topLines } from './rendition-ladder.js';

/** A size must have stood this long to be worth a new run: senders try sizes out, and grow in steps. */
const settledMs = 3_000;
/** Each new run costs every player a discontinuity: a sender that goes up and down gets one this often at most. */
export const resizeIntervalMs = 10_000;

export type SizeChange = 'none' | 'smaller' | 'larger' | 'other-shape';
/** `renew-at-keyframe`: a new run is due and must begin with a keyframe, which this frame is not. */
export type SizeVerdict = 'keep' | 'renew-at-keyframe' | 'renew';

export interface SizeWatchOptions {
  /** Lines; what a source has above them changes no rendition. */
  maxHeight?: number;
  /** Until then another size of the same shape is scaled by the run there is. */
  resizableFromMs?: number;
}

/** What another size of the source means for renditions that were made for `encoded`. */
export function compareSizes(encoded: FrameSize, size: FrameSize, maxHeight?: number): SizeChange {
  if (!isSameShape(encoded, size)) return 'other-shape';
  const difference = topLines(size, maxHeight) - topLines(encoded, maxHeight);
  if (difference === 0) return 'none';
  return difference > 0 ? 'larger' : 'smaller';
}

/** Decides when a source's size has left that of the current run for good. */
export class SizeWatch {
  private change: SizeChange = 'none';
  private sinceMs = 0;

  constructor(
    private readonly encoded: FrameSize,
    private readonly options: SizeWatchOptions,
  ) {}

  /** For each video frame; `size` stands at keyframes. */
  onFrame({ size, timeMs }: { size?: FrameSize; timeMs: number }): SizeVerdict {
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

/** Within what rounding to even sizes makes of a shape. */
function isSameShape(a: FrameSize, b: FrameSize): boolean {
  const ratio = a.width / a.height / (b.width / b.height);
  return ratio > 0.95 && ratio < 1.05;
}
