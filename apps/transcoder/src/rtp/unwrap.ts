/**
 * Extends a counter that wraps at 2^bits. Each value becomes the nearest one to the highest so far, so a late packet gets a
 * lower number.
 */
export class Unwrapper {
  private highest: number | undefined;
  private readonly modulus: number;

  constructor(bits: 16 | 32) {
    this.modulus = 2 ** bits;
  }

  unwrap(value: number): number {
    if (this.highest === undefined) return (this.highest = value);
    const unwrapped = this.highest + this.distance(value);
    this.highest = Math.max(this.highest, unwrapped);
    return unwrapped;
  }

  /** Extends a value without changing the highest, for values from RTCP. */
  peek(value: number): number {
    return this.highest === undefined ? value : this.highest + this.distance(value);
  }

  private distance(value: number): number {
    const forward = (((value - this.highest!) % this.modulus) + this.modulus) % this.modulus;
    return forward < this.modulus / 2 ? forward : forward - this.modulus;
  }
}
