import { BitReader, readLeb128 } from './bit-reader.js';

/** OBU types (AV1 specification, 6.2.2). */
export const obuTypes = { sequenceHeader: 1, temporalDelimiter: 2, tileList: 8, padding: 15 };

/** An RTP payload of AV1 ("RTP Payload Format For AV1", 4). */
export interface Av1Payload {
  /** OBUs, or the parts of OBUs that this packet has. At least one. */
  elements: Buffer[];
  /** Z: the first element continues the last one of the previous packet. */
  continues: boolean;
  /** Y: the last element continues in the next packet. */
  unfinished: boolean;
}

/** Reads an AV1 RTP payload. Undefined if it is truncated or its counts are wrong. Aggregation header: Z Y W W N. */
export function parseAv1Payload(payload: Buffer): Av1Payload | undefined {
  const header = payload[0] ?? 0;
  const count = (header >> 4) & 3;
  const elements: Buffer[] = [];
  let offset = 1;
  while (offset < payload.length) {
    const isLastWithoutSize = count > 0 && elements.length === count - 1;
    const size = isLastWithoutSize ? { value: payload.length - offset, length: 0 } : readLeb128(payload, offset);
    if (!size) return undefined;
    const start = offset + size.length;
    offset = start + size.value;
    if (offset > payload.length) return undefined;
    elements.push(payload.subarray(start, offset));
  }
  if (elements.length === 0 || (count > 0 && elements.length !== count)) return undefined;
  return { elements, continues: (header & 0x80) !== 0, unfinished: (header & 0x40) !== 0 };
}

/** obu_type (AV1 specification, 5.3.2) of an OBU that is not empty. */
export function obuType(unit: Buffer): number {
  return (unit[0]! >> 3) & 0x0f;
}

/** Length of the OBU header in bytes, with its extension if present, without the size field. */
export function obuHeaderLength(unit: Buffer): number {
  return (unit[0]! & 0x04) !== 0 ? 2 : 1;
}

/** The bytes after the OBU's header, extension and size field. Empty if the size field is invalid. */
export function obuPayload(unit: Buffer): Buffer {
  const start = obuHeaderLength(unit);
  const hasSize = (unit[0]! & 0x02) !== 0;
  if (!hasSize) return unit.subarray(start);
  const size = readLeb128(unit, start);
  return size ? unit.subarray(start + size.length, start + size.length + size.value) : Buffer.alloc(0);
}

/** The sequence header of an RTP payload; undefined if the payload has none, or only a part. */
export function sequenceHeaderOf({ elements, continues, unfinished }: Av1Payload): SequenceHeader | undefined {
  const whole = elements.slice(continues ? 1 : 0, unfinished ? -1 : undefined);
  const unit = whole.find(each => each.length > 0 && obuType(each) === obuTypes.sequenceHeader);
  return unit && parseSequenceHeader(obuPayload(unit));
}

/** The fields of a sequence header that a decoder needs before the first frame (AV1 specification, 5.5). */
export interface SequenceHeader {
  profile: number;
  level: number;
  tier: number;
  /** Largest frame size of the sequence, in pixels. */
  width: number;
  height: number;
  highBitDepth: boolean;
  twelveBit: boolean;
  monochrome: boolean;
  subsamplingX: number;
  subsamplingY: number;
  chromaSamplePosition: number;
}

interface OperatingPoint {
  level: number;
  tier: number;
}

/** Reads a sequence header from an OBU payload. Undefined if it is invalid. */
export function parseSequenceHeader(payload: Buffer): SequenceHeader | undefined {
  if (payload.length < 4) return undefined;
  const reader = new BitReader(payload);
  const profile = reader.bits(3);
  reader.skip(1); // still_picture
  const isReduced = reader.flag();
  const point = isReduced ? { level: reader.bits(5), tier: 0 } : readOperatingPoints(reader);
  const widthBits = reader.bits(4) + 1;
  const heightBits = reader.bits(4) + 1;
  const width = reader.bits(widthBits) + 1;
  const height = reader.bits(heightBits) + 1;
  skipTools(reader, isReduced);
  const colour = readColour(reader, profile);
  return reader.atEnd ? undefined : { profile, ...point, width, height, ...colour };
}

/** Returns the first operating point, which includes all layers. */
function readOperatingPoints(reader: BitReader): OperatingPoint {
  const hasTiming = reader.flag();
  const delayBits = hasTiming ? skipTiming(reader) : undefined;
  const hasDisplayDelay = reader.flag();
  const count = reader.bits(5) + 1;
  const points: OperatingPoint[] = [];
  for (let i = 0; i < count; i += 1) {
    reader.skip(12); // operating_point_idc
    const level = reader.bits(5);
    points.push({ level, tier: level > 7 ? reader.bits(1) : 0 });
    if (delayBits !== undefined && reader.flag()) reader.skip(2 * delayBits + 1);
    if (hasDisplayDelay && reader.flag()) reader.skip(4);
  }
  return points[0]!;
}

/** Returns the bit length of the decoder model's delays; undefined without a decoder model. */
function skipTiming(reader: BitReader): number | undefined {
  reader.skip(64);
  if (reader.flag()) reader.unsignedGolomb();
  if (!reader.flag()) return undefined;
  const delayBits = reader.bits(5) + 1;
  reader.skip(42);
  return delayBits;
}

function skipTools(reader: BitReader, isReduced: boolean): void {
  if (!isReduced && reader.flag()) reader.skip(7); // frame ids
  reader.skip(3); // 128x128 superblocks, filter intra, intra edge filter
  if (!isReduced) skipInterTools(reader);
  reader.skip(3); // superres, cdef, restoration
}

function skipInterTools(reader: BitReader): void {
  reader.skip(4); // interintra, masked compound, warped motion, dual filter
  const hasOrderHint = reader.flag();
  if (hasOrderHint) reader.skip(2);
  const forcesScreenContent = reader.flag() ? 2 : reader.bits(1);
  if (forcesScreenContent > 0 && !reader.flag()) reader.skip(1);
  if (hasOrderHint) reader.skip(3);
}

type Colour = Omit<SequenceHeader, 'profile' | 'level' | 'tier' | 'width' | 'height'>;

function readColour(reader: BitReader, profile: number): Colour {
  const highBitDepth = reader.flag();
  const twelveBit = profile === 2 && highBitDepth ? reader.flag() : false;
  const monochrome = profile === 1 ? false : reader.flag();
  const description = reader.flag() ? [reader.bits(8), reader.bits(8), reader.bits(8)].join() : '';
  const depth = { highBitDepth, twelveBit, monochrome };
  if (monochrome) return { ...depth, subsamplingX: 1, subsamplingY: 1, chromaSamplePosition: 0 };
  // BT.709 primaries, sRGB transfer, identity matrix: always 4:4:4.
  if (description === '1,13,0') return { ...depth, subsamplingX: 0, subsamplingY: 0, chromaSamplePosition: 0 };
  reader.skip(1); // color_range
  const [subsamplingX, subsamplingY] = readSubsampling(reader, profile, twelveBit);
  const chromaSamplePosition = subsamplingX === 1 && subsamplingY === 1 ? reader.bits(2) : 0;
  return { ...depth, subsamplingX, subsamplingY, chromaSamplePosition };
}

function readSubsampling(reader: BitReader, profile: number, twelveBit: boolean): [number, number] {
  if (profile === 0) return [1, 1];
  if (profile === 1) return [0, 0];
  if (!twelveBit) return [1, 0];
  const x = reader.bits(1);
  return [x, x === 1 ? reader.bits(1) : 0];
}
