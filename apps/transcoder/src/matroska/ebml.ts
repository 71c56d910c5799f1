/** EBML (RFC 8794): an id, a size of one to eight bytes, then the data. */

export function element(id: number, data: Buffer | Buffer[]): Buffer {
  const content = Array.isArray(data) ? Buffer.concat(data) : data;
  return Buffer.concat([elementID(id), sizeOf(content.length), content]);
}

export function unsigned(id: number, value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return element(id, Buffer.from(bytes));
}

export function text(id: number, value: string): Buffer {
  return element(id, Buffer.from(value));
}

export function float(id: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleBE(value);
  return element(id, data);
}

/** The start of an element that goes on until the next one of its level: a live stream has no sizes. */
export function openElement(id: number): Buffer {
  return Buffer.concat([elementID(id), Buffer.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)]);
}

/** Element ids carry their own length marker. */
function elementID(id: number): Buffer {
  const length = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(id, 0, length);
  return bytes;
}

/** The shortest form whose value is not all ones, which would mean "unknown". */
function sizeOf(size: number): Buffer {
  let length = 1;
  while (size >= 2 ** (7 * length) - 1) length += 1;
  const bytes = Buffer.alloc(length);
  if (length <= 6) bytes.writeUIntBE(size + 2 ** (7 * length), 0, length);
  else throw new RangeError('an element of a live stream is never that large');
  return bytes;
}
