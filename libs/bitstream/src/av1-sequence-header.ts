import { BitReader } from './bit-reader.js';

/** The parts of a sequence header that a decoder must know before the first frame (AV1 specification, 5.5). */
export interface SequenceHeader {
  profile: number;
  level: number;
  tier: number;
  /** The largest that frames of the sequence may have, in pixels. */
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

/** Undefined when the header can't be read. */
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

/** Returns the first operating point, which decodes everything. */
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

/** Returns how long the decoder model's delays are; undefined without a decoder model. */
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
