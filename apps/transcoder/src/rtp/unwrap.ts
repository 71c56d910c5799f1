/**
 * Turns a counter that wraps at 2^bits into one that goes on; each value is taken as the nearest one to
 * the highest before, so late packets come out lower.
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

  /** The value's place near the highest one, without moving it; for values from elsewhere (RTCP). */
  peek(value: number): number {
    return this.highest === undefined ? value : this.highest + this.distance(value);
  }

  private distance(value: number): number {
    const forward = (((value - this.highest!) % this.modulus) + this.modulus) % this.modulus;
    return forward < this.modulus / 2 ? forward : forward - this.modulus;
  }
}
