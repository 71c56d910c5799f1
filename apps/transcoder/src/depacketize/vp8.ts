import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import { FrameAssembler } from './frame-assembler.js';
import type { Depacketizer, DepacketizerOutput, FrameSize } from './frame.js';

interface Part {
  data: Buffer;
  start: boolean;
}

/** RFC 7741. */
export class Vp8Depacketizer implements Depacketizer {
  private readonly assembler = new FrameAssembler<Part>({ parse: parsePart, isStart: part => part.start, join });

  push(packet: OrderedPacket): DepacketizerOutput {
    return this.assembler.push(packet);
  }
}

function parsePart(payload: Buffer): Part | undefined {
  const length = descriptorLength(payload);
  if (length >= payload.length) return undefined;
  const start = (payload[0]! & 0x10) !== 0 && (payload[0]! & 0x0f) === 0;
  return { data: payload.subarray(length), start };
}

/** RFC 7741, 4.2. */
function descriptorLength(payload: Buffer): number {
  if ((payload[0]! & 0x80) === 0) return 1;
  const extensions = payload[1] ?? 0;
  let length = 2;
  if ((extensions & 0x80) !== 0) length += ((payload[2] ?? 0) & 0x80) !== 0 ? 2 : 1;
  if ((extensions & 0x40) !== 0) length += 1;
  if ((extensions & 0x30) !== 0) length += 1;
  return length;
}

function join(parts: Part[]) {
  if (!parts[0]?.start) return undefined;
  const data = Buffer.concat(parts.map(part => part.data));
  const keyframe = (data[0]! & 1) === 0;
  if (!keyframe) return { data, keyframe };
  const size = parseVp8Size(data);
  return size && { data, keyframe, size };
}

/** RFC 6386, 9.1: start code 9d 01 2a, then 14 bits of width and of height. */
export function parseVp8Size(frame: Buffer): FrameSize | undefined {
  if (frame.length < 10 || frame.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  const size = { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff };
  return size.width > 0 && size.height > 0 ? size : undefined;
}
