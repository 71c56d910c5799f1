/** A value of AMF0, as far as RTMP commands need it. */
export type AmfValue = number | boolean | string | null | undefined | { [name: string]: AmfValue } | AmfValue[];

/** The message is not AMF0, or larger than any encoder's command. */
export class AmfError extends Error {
  override readonly name = 'AmfError';
}

const mostValues = 200;
const deepest = 6;

/** Decodes all values of a command. Throws `AmfError` for malformed, too deep or too many values. */
export function decodeAmf(bytes: Buffer): AmfValue[] {
  const reader = new AmfReader(bytes);
  const values: AmfValue[] = [];
  while (!reader.isAtEnd) values.push(reader.value(0));
  return values;
}

class AmfReader {
  private at = 0;
  private count = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  value(depth: number): AmfValue {
    this.count += 1;
    if (this.count > mostValues || depth > deepest) throw new AmfError('too many values');
    const type = this.take(1).readUInt8();
    const read = this.readers[type];
    if (!read) throw new AmfError(`unknown type ${type}`);
    return read(depth);
  }

  /** By type: number, boolean, text, object, null, undefined, object with a count, array, date, long text. */
  private readonly readers: Readonly<Record<number, (depth: number) => AmfValue>> = {
    0: () => this.take(8).readDoubleBE(),
    1: () => this.take(1)[0] !== 0,
    2: () => this.text(2),
    3: depth => this.object(depth),
    5: () => null,
    6: () => undefined,
    8: depth => {
      this.take(4);
      return this.object(depth);
    },
    10: depth => this.array(depth),
    11: () => this.take(10).readDoubleBE(),
    12: () => this.text(4),
  };

  /** Names and values up to an empty name with type 9. */
  private object(depth: number): Record<string, AmfValue> {
    const entries: [string, AmfValue][] = [];
    for (;;) {
      const name = this.text(2);
      if (name === '' && this.bytes[this.at] === 9) break;
      entries.push([name, this.value(depth + 1)]);
    }
    this.at += 1;
    return Object.fromEntries(entries);
  }

  private array(depth: number): AmfValue[] {
    const length = this.take(4).readUInt32BE();
    if (length > mostValues) throw new AmfError('too many values');
    return Array.from({ length }, () => this.value(depth + 1));
  }

  private text(lengthBytes: 2 | 4): string {
    return this.take(this.take(lengthBytes).readUIntBE(0, lengthBytes)).toString('utf8');
  }

  private take(length: number): Buffer {
    const end = this.at + length;
    if (end > this.bytes.length) throw new AmfError('the message ends within a value');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

/** Encodes values of the answers of a server. */
export function encodeAmf(...values: AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeOne));
}

function encodeOne(value: AmfValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'boolean') return Buffer.of(1, value ? 1 : 0);
  if (typeof value === 'string') return Buffer.concat([Buffer.of(2), encodeName(value)]);
  if (typeof value !== 'object' || value === null) return Buffer.of(value === null ? 5 : 6);
  if (Array.isArray(value)) throw new AmfError('a server sends no arrays');
  const members = Object.entries(value).map(([name, member]) => Buffer.concat([encodeName(name), encodeOne(member)]));
  return Buffer.concat([Buffer.of(3), ...members, Buffer.of(0, 0, 9)]);
}

function encodeName(name: string): Buffer {
  const bytes = Buffer.from(name);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
