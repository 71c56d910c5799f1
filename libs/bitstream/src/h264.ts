import { BitReader } from './bit-reader.js';
import type { PictureSize } from './picture-size.js';

/** The NAL unit types that are used here (H.264, table 7-1). */
export const nalTypes = { slice: 1, idr: 5, sei: 6, sps: 7, pps: 8, aud: 9 };

/** Payload structures (RFC 6184, 5.2). */
const stapA = 24;
const fuA = 28;

/** An RTP payload of H.264 in packetization mode 0 or 1 (RFC 6184): whole NAL units, or a fragment of one. */
export type H264Payload = H264Units | H264Fragment;

export interface H264Units {
  /** NAL units that are not empty. */
  units: Buffer[];
}

export interface H264Fragment {
  /** Part of a NAL unit without its header byte. Not empty. */
  fragment: Buffer;
  /** The NAL unit's header byte. */
  header: number;
  /** S: first fragment of the NAL unit. */
  first: boolean;
  /** E: last fragment of the NAL unit. */
  last: boolean;
}

/** Reads an H.264 RTP payload. Undefined for reserved types, types of packetization mode 2, and truncated payloads. */
export function parseH264Payload(payload: Buffer): H264Payload | undefined {
  const type = nalUnitType(payload);
  if (type > 0 && type < stapA) return { units: [payload] };
  if (type === stapA) return parseAggregate(payload);
  if (type !== fuA || payload.length < 3) return undefined;
  const [indicator, header] = [payload[0]!, payload[1]!];
  return {
    fragment: payload.subarray(2),
    header: (indicator & 0xe0) | (header & 0x1f),
    first: (header & 0x80) !== 0,
    last: (header & 0x40) !== 0,
  };
}

/** Each unit follows its size in bytes (RFC 6184, 5.7.1). A size past the end makes the whole payload invalid. */
function parseAggregate(payload: Buffer): H264Units | undefined {
  const units: Buffer[] = [];
  for (let offset = 1; offset < payload.length;) {
    if (offset + 2 > payload.length) return undefined;
    const end = offset + 2 + payload.readUInt16BE(offset);
    if (end > payload.length) return undefined;
    if (end > offset + 2) units.push(payload.subarray(offset + 2, end));
    offset = end;
  }
  return { units };
}

/** The NAL units that start in a payload. A fragmented unit is incomplete. */
export function nalUnitStarts(part: H264Payload): Buffer[] {
  if ('units' in part) return part.units;
  return part.first ? [Buffer.concat([Buffer.of(part.header), part.fragment])] : [];
}

/** nal_unit_type; 0 for an empty buffer, which no unit uses. */
export function nalUnitType(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** The first fields of a slice header (H.264, 7.3.3). */
export interface SliceStart {
  /** first_mb_in_slice is 0. */
  beginsPicture: boolean;
  /** slice_type is B. False if the unit is truncated before it. */
  isB: boolean;
}

/** Reads the start of a slice. Undefined for other NAL units and for data partitions (types 2 to 4). */
export function parseSliceStart(unit: Buffer): SliceStart | undefined {
  const type = nalUnitType(unit);
  if (type !== nalTypes.slice && type !== nalTypes.idr) return undefined;
  // Both codes together are shorter than 16 bytes.
  const reader = new BitReader(unit.subarray(1, 16));
  const beginsPicture = reader.unsignedGolomb() === 0 && !reader.isBeyondEnd;
  const sliceType = reader.unsignedGolomb();
  return { beginsPicture, isB: !reader.isBeyondEnd && (sliceType === 1 || sliceType === 6) };
}

/** Whether a picture can start with this NAL unit (H.264, 7.4.1.2.3). */
export function startsPicture(unit: Buffer): boolean {
  const type = nalUnitType(unit);
  if (type === nalTypes.sps || type === nalTypes.aud || type === nalTypes.sei || type === nalTypes.pps) return true;
  return parseSliceStart(unit)?.beginsPicture ?? false;
}

/** Profiles whose SPS has chroma and bit depth fields (H.264, 7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/**
 * Reads the cropped picture size, in pixels, from a sequence parameter set with its header byte (H.264, 7.3.2.1.1).
 * Undefined if the parameter set is invalid.
 */
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

/** Larger values than any level allows (H.264, A.3) are invalid. */
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

/** Removes the emulation prevention byte 3 of each 0 0 3 (H.264, 7.4.1.1). */
function withoutEmulationPrevention(data: Buffer): Buffer {
  const bytes: number[] = [];
  data.forEach((byte, i) => {
    if (byte === 3 && data[i - 1] === 0 && data[i - 2] === 0) return;
    bytes.push(byte);
  });
  return Buffer.from(bytes);
}
