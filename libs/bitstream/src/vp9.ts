import { BitReader } from './bit-reader.js';
import type { PictureSize } from './picture-size.js';

/** An RTP payload of VP9 (RFC 9628). */
export interface Vp9Payload {
  /** Part of a frame of one spatial layer, without the payload descriptor. Not empty. */
  data: Buffer;
  /** B: a frame of a spatial layer starts. */
  start: boolean;
  /** Sizes of the spatial layers, lowest first. Empty without a scalability structure with sizes. */
  layerSizes: PictureSize[];
}

interface Structure {
  length: number;
  layerSizes: PictureSize[];
}

/** Reads a VP9 RTP payload. Undefined if it is truncated. */
export function parseVp9Payload(payload: Buffer): Vp9Payload | undefined {
  if (payload.length === 0) return undefined;
  const bits = payload[0]!;
  const start = structureStart(payload, bits);
  const structure = (bits & 0x02) !== 0 ? parseStructure(payload, start) : { length: 0, layerSizes: [] };
  const data = payload.subarray(start + structure.length);
  if (data.length === 0) return undefined;
  return { data, start: (bits & 0x08) !== 0, layerSizes: structure.layerSizes };
}

/** Length in bytes of the descriptor before the scalability structure (4.2): I P L F B E V Z, then their fields. */
function structureStart(payload: Buffer, bits: number): number {
  const [hasPictureID, hasLayers, flexible] = [bits & 0x80, bits & 0x20, bits & 0x10].map(bit => bit !== 0);
  let length = 1;
  if (hasPictureID) length += ((payload[length] ?? 0) & 0x80) !== 0 ? 2 : 1;
  if (hasLayers) length += flexible ? 1 : 2;
  if (flexible && (bits & 0x40) !== 0) length += referenceLength(payload, length);
  return length;
}

/** P_DIFF: up to three bytes. The lowest bit of each tells whether another one follows. */
function referenceLength(payload: Buffer, offset: number): number {
  let length = 1;
  while (length < 3 && ((payload[offset + length - 1] ?? 0) & 1) !== 0) length += 1;
  return length;
}

/** Scalability structure (4.2.1): N_S Y G, sizes of the layers, a picture group. */
function parseStructure(payload: Buffer, offset: number): Structure {
  const head = payload[offset] ?? 0;
  const layers = (head & 0x10) !== 0 ? (head >> 5) + 1 : 0;
  const layerSizes = readLayerSizes(payload.subarray(offset + 1, offset + 1 + 4 * layers));
  let length = 1 + 4 * layers;
  if ((head & 0x08) === 0) return { length, layerSizes };
  const pictures = payload[offset + length] ?? 0;
  length += 1;
  for (let i = 0; i < pictures; i += 1) length += 1 + (((payload[offset + length] ?? 0) >> 2) & 3);
  return { length, layerSizes };
}

function readLayerSizes(bytes: Buffer): PictureSize[] {
  const sizes: PictureSize[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4)
    sizes.push({ width: bytes.readUInt16BE(at), height: bytes.readUInt16BE(at + 2) });
  return sizes.filter(({ width, height }) => width > 0 && height > 0);
}

const syncCode = 0x498342;
const sRgb = 7;

/** Reads the picture size, in pixels, from a keyframe's uncompressed header (VP9 bitstream, 6.2). Undefined for other or truncated frames. */
export function vp9KeyframeSize(frame: Buffer): PictureSize | undefined {
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
  const size = { width: reader.bits(16) + 1, height: reader.bits(16) + 1 };
  return reader.isBeyondEnd ? undefined : size;
}

function skipColour(reader: BitReader, profile: number): void {
  if (profile >= 2) reader.skip(1);
  const hasSubsampling = profile === 1 || profile === 3;
  if (reader.bits(3) === sRgb) return reader.skip(hasSubsampling ? 1 : 0);
  reader.skip(hasSubsampling ? 4 : 1);
}
