/** Reads bits, most significant first. Bits after the end are 0. */
export class BitReader {
  private position = 0;

  constructor(private readonly data: Uint8Array) {}

  /** Reads up to 53 bits as an unsigned number. */
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

  /** Reads an unsigned Exp-Golomb code (H.264, 9.1). More than 31 leading zeros mean that the data has ended. */
  unsignedGolomb(): number {
    let zeros = 0;
    while (zeros < 32 && !this.isBeyondEnd && this.bit() === 0) zeros += 1;
    if (zeros > 31) this.position = this.data.length * 8 + 1;
    return this.isBeyondEnd ? 0 : 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Reads a signed Exp-Golomb code (H.264, 9.1.1). */
  signedGolomb(): number {
    const code = this.unsignedGolomb();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  }

  get atEnd(): boolean {
    return this.position >= this.data.length * 8;
  }

  /** Whether a read went past the end of the data. */
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

/**
 * Reads a LEB128 number (AV1 specification, 4.10.5): seven bits per byte, lowest first, at most eight bytes. `length` is in
 * bytes. Undefined if the number is truncated.
 */
export function readLeb128(data: Buffer, offset: number): { value: number; length: number } | undefined {
  let value = 0;
  for (let i = 0; i < 8; i += 1) {
    const byte = data[offset + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if ((byte & 0x80) === 0) return { value, length: i + 1 };
  }
  return undefined;
}

/** Writes an integer from 0 to 2^53 - 1 with the fewest bytes. */
export function writeLeb128(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
