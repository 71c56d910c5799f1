import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import { BitReader } from './bit-reader.js';
import { FrameAssembler } from './frame-assembler.js';
import type { Depacketizer, DepacketizerOutput, FrameSize } from './frame.js';

interface Part {
  data: Buffer;
  start: boolean;
}

/** RFC 9628. */
export class Vp9Depacketizer implements Depacketizer {
  private readonly assembler = new FrameAssembler<Part>({ parse: parsePart, isStart: part => part.start, join });

  push(packet: OrderedPacket): DepacketizerOutput {
    return this.assembler.push(packet);
  }
}

function parsePart(payload: Buffer): Part | undefined {
  const length = descriptorLength(payload);
  if (length >= payload.length) return undefined;
  return { data: payload.subarray(length), start: (payload[0]! & 0x08) !== 0 };
}

/** RFC 9628, 4.2: I P L F B E V Z, then what the bits announce. */
function descriptorLength(payload: Buffer): number {
  const bits = payload[0]!;
  const [hasPictureID, hasLayers, flexible] = [bits & 0x80, bits & 0x20, bits & 0x10].map(bit => bit !== 0);
  let length = 1;
  if (hasPictureID) length += ((payload[length] ?? 0) & 0x80) !== 0 ? 2 : 1;
  if (hasLayers) length += flexible ? 1 : 2;
  if (flexible && (bits & 0x40) !== 0) length += referenceLength(payload, length);
  if ((bits & 0x02) !== 0) length += scalabilityLength(payload, length);
  return length;
}

/** P_DIFF: up to three bytes, each saying whether another follows. */
function referenceLength(payload: Buffer, offset: number): number {
  let length = 1;
  while (length < 3 && ((payload[offset + length - 1] ?? 0) & 1) !== 0) length += 1;
  return length;
}

/** Scalability structure: N_S Y G, sizes of the layers, a picture group. */
function scalabilityLength(payload: Buffer, offset: number): number {
  const head = payload[offset] ?? 0;
  const sizes = (head & 0x10) !== 0 ? 4 * ((head >> 5) + 1) : 0;
  let length = 1 + sizes;
  if ((head & 0x08) === 0) return length;
  const pictures = payload[offset + length] ?? 0;
  length += 1;
  for (let i = 0; i < pictures; i += 1) length += 1 + (((payload[offset + length] ?? 0) >> 2) & 3);
  return length;
}

function join(parts: Part[]) {
  if (!parts[0]?.start) return undefined;
  const data = Buffer.concat(parts.map(part => part.data));
  const size = parseVp9KeyframeSize(data);
  return size ? { data, keyframe: true, size } : { data, keyframe: false };
}

const syncCode = 0x498342;
const sRgb = 7;

/** The size in a keyframe's uncompressed header (VP9 bitstream, 6.2); undefined for any other frame. */
export function parseVp9KeyframeSize(frame: Buffer): FrameSize | undefined {
  const reader = new BitReader(frame.subarray(0, 16));
  if (reader.bits(2) !== 2) return undefined;
  const profile = reader.bits(1) + 2 * reader.bits(1);
  if (profile === 3) reader.skip(1);
  const showsExisting = reader.flag();
  const isInterFrame = reader.flag();
  if (showsExisting || isInterFrame) return undefined;
  reader.skip(2); // show_frame, error_resilient_mode
  if (reader.bits(24) !== syncCode) return undefined;
  skipColour(reader, profile);
  return { width: reader.bits(16) + 1, height: reader.bits(16) + 1 };
}

function skipColour(reader: BitReader, profile: number): void {
  if (profile >= 2) reader.skip(1);
  const hasSubsampling = profile === 1 || profile === 3;
  if (reader.bits(3) === sRgb) return reader.skip(hasSubsampling ? 1 : 0);
  reader.skip(hasSubsampling ? 4 : 1);
}
