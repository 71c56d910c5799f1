/** AV1 specification, 4.10.5: seven bits a byte, lowest first, at most eight bytes. */
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

export function writeLeb128(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
