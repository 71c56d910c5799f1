/** Reads bits from the highest down, as the codecs' headers are written. Past the end every bit is 0. */
export class BitReader {
  private position = 0;

  constructor(private readonly data: Uint8Array) {}

  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i += 1) value = value * 2 + this.bit();
    return value;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  skip(count: number): void {
    this.position += count;
  }

  /** Unsigned Exp-Golomb code (H.264, 9.1). */
  unsignedGolomb(): number {
    let zeros = 0;
    while (zeros < 32 && !this.atEnd && this.bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Signed Exp-Golomb code (H.264, 9.1.1). */
  signedGolomb(): number {
    const code = this.unsignedGolomb();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }

  get atEnd(): boolean {
    return this.position >= this.data.length * 8;
  }

  /** True when a bit was read that the data does not have. */
  get isBeyondEnd(): boolean {
    return this.position > this.data.length * 8;
  }

  private bit(): number {
    const byte = this.data[this.position >> 3] ?? 0;
    const bit = (byte >> (7 - (this.position & 7))) & 1;
    this.position += 1;
    return bit;
  }
}
