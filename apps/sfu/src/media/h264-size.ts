import { ExpGolombReader, nalType, nalUnits } from './h264-bitstream.js';
import { payloadOf } from './rtp-payload.js';
import type { PictureSize } from './vp8-bitstream.js';

/** Profiles whose sequence parameter sets tell about chroma and scaling (H.264 section 7.3.2.1.1). */
const highProfiles: readonly number[] = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244];

/** Of the stream, from the sequence parameter set in an RTP packet; undefined in a packet without one. */
export function h264Size(packet: Buffer): PictureSize | undefined {
  const payload = payloadOf(packet);
  if (!payload) return undefined;
  for (const unit of nalUnits(payload)) {
    if ((unit.readUInt8(0) & 0x1f) === nalType.sps && unit.length >= 4) return sizeOf(unit);
  }
  return undefined;
}

function sizeOf(unit: Buffer): PictureSize | undefined {
  const reader = new ExpGolombReader(withoutEmulation(unit.subarray(4)));
  reader.next();
  const chroma = highProfiles.includes(unit.readUInt8(1)) ? readHighProfile(reader) : 1;
  skipOrderCount(reader);
  reader.next();
  reader.bits(1);
  const [columns, rows] = [reader.next(), reader.next()];
  const fields = reader.bits(1) === 0 ? 2 : 1;
  reader.bits(fields === 2 ? 2 : 1);
  if (columns === undefined || rows === undefined) return undefined;
  const crop = reader.bits(1) === 1 ? readCrop(reader, chroma, fields) : { width: 0, height: 0 };
  return possible({ width: (columns + 1) * 16 - crop.width, height: (rows + 1) * 16 * fields - crop.height });
}

/** More than any level allows is no size but something else. */
function possible(size: PictureSize): PictureSize | undefined {
  const isPossible = [size.width, size.height].every(length => length > 0 && length <= 16_384);
  return isPossible ? size : undefined;
}

/** What is cut off at the edges, counted in samples of colour. */
function readCrop(reader: ExpGolombReader, chroma: number, fields: number): PictureSize {
  const next = () => reader.next() ?? 0;
  const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, (chroma === 1 ? 2 : 1) * fields];
  const width = unitX * (next() + next());
  return { width, height: unitY * (next() + next()) };
}

/** Answers chroma_format_idc. */
function readHighProfile(reader: ExpGolombReader): number {
  const chroma = reader.next() ?? 1;
  if (chroma === 3) reader.bits(1);
  reader.next();
  reader.next();
  reader.bits(1);
  if (reader.bits(1) === 1) skipScaling(reader, chroma === 3 ? 12 : 8);
  return chroma;
}

function skipScaling(reader: ExpGolombReader, lists: number): void {
  for (let list = 0; list < lists; list++) {
    if (reader.bits(1) === 1) skipScalingList(reader, list < 6 ? 16 : 64);
  }
}

function skipScalingList(reader: ExpGolombReader, size: number): void {
  let [last, next] = [8, 8];
  for (let index = 0; index < size && next !== 0; index++) {
    next = (last + signed(reader.next() ?? 0) + 256) % 256;
    if (next !== 0) last = next;
  }
}

/** log2_max_frame_num and the picture order count; a cycle is at most 255 long. */
function skipOrderCount(reader: ExpGolombReader): void {
  reader.next();
  const type = reader.next();
  if (type === 0) reader.next();
  if (type !== 1) return;
  reader.bits(1);
  reader.next();
  reader.next();
  const cycle = Math.min(255, reader.next() ?? 0);
  for (let index = 0; index < cycle; index++) reader.next();
}

/** se(v) of section 9.1.1. */
function signed(value: number): number {
  return value % 2 === 0 ? -value / 2 : (value + 1) / 2;
}

/** Takes out the bytes that keep start codes from appearing (section 7.4.1). */
function withoutEmulation(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.filter((byte, index) => !(byte === 3 && index >= 2 && bytes[index - 1] === 0 && bytes[index - 2] === 0)),
  );
}
