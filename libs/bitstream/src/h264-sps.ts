import { BitReader } from './bit-reader.js';
import type { PictureSize } from './picture-size.js';

/** Profiles whose SPS says more of chroma and bit depth (H.264, 7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** Size of the pictures after cropping; undefined when the parameter set can't be read. */
export function parseSpsSize(sps: Buffer): PictureSize | undefined {
  if (sps.length < 5) return undefined;
  const reader = new BitReader(withoutEmulationPrevention(sps.subarray(1)));
  const profile = reader.bits(8);
  reader.skip(16);
  reader.unsignedGolomb(); // seq_parameter_set_id
  const chromaFormat = highProfiles.has(profile) ? readChromaFormat(reader) : 1;
  skipReferenceFields(reader);
  const widthInBlocks = reader.unsignedGolomb() + 1;
  const heightInUnits = reader.unsignedGolomb() + 1;
  const framesOnly = reader.flag();
  if (!framesOnly) reader.skip(1);
  reader.skip(1); // direct_8x8_inference_flag
  const fieldFactor = framesOnly ? 1 : 2;
  const crop = readCrop(reader);
  const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
  const unitY = (chromaFormat === 1 ? 2 : 1) * fieldFactor;
  const width = widthInBlocks * 16 - unitX * (crop.left + crop.right);
  const height = heightInUnits * 16 * fieldFactor - unitY * (crop.top + crop.bottom);
  return !reader.isBeyondEnd && [width, height].every(isPossible) ? { width, height } : undefined;
}

/** More than any level allows (H.264, A.3) is no size but something else. */
function isPossible(length: number): boolean {
  return length > 0 && length <= 16_384;
}

function readChromaFormat(reader: BitReader): number {
  const chromaFormat = reader.unsignedGolomb();
  if (chromaFormat === 3) reader.skip(1);
  reader.unsignedGolomb(); // bit_depth_luma_minus8
  reader.unsignedGolomb(); // bit_depth_chroma_minus8
  reader.skip(1);
  if (reader.flag()) skipScalingMatrix(reader, chromaFormat === 3 ? 12 : 8);
  return chromaFormat;
}

function skipScalingMatrix(reader: BitReader, lists: number): void {
  for (let i = 0; i < lists; i += 1) if (reader.flag()) skipScalingList(reader, i < 6 ? 16 : 64);
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  for (let i = 0; i < size; i += 1) {
    const next = (last + reader.signedGolomb() + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function skipReferenceFields(reader: BitReader): void {
  reader.unsignedGolomb(); // log2_max_frame_num_minus4
  const orderType = reader.unsignedGolomb();
  if (orderType === 0) reader.unsignedGolomb();
  if (orderType === 1) skipOrderCycle(reader);
  reader.unsignedGolomb(); // max_num_ref_frames
  reader.skip(1);
}

function skipOrderCycle(reader: BitReader): void {
  reader.skip(1);
  reader.signedGolomb();
  reader.signedGolomb();
  const cycle = Math.min(reader.unsignedGolomb(), 255);
  for (let i = 0; i < cycle; i += 1) reader.signedGolomb();
}

function readCrop(reader: BitReader): { left: number; right: number; top: number; bottom: number } {
  if (!reader.flag()) return { left: 0, right: 0, top: 0, bottom: 0 };
  const [left, right, top, bottom] = [0, 1, 2, 3].map(() => reader.unsignedGolomb()) as [
    number,
    number,
    number,
    number,
  ];
  return { left, right, top, bottom };
}

/** Takes out the 3 of each 0 0 3 (H.264, 7.4.1.1). */
function withoutEmulationPrevention(data: Buffer): Buffer {
  const bytes: number[] = [];
  data.forEach((byte, i) => {
    if (byte === 3 && data[i - 1] === 0 && data[i - 2] === 0) return;
    bytes.push(byte);
  });
  return Buffer.from(bytes);
}
