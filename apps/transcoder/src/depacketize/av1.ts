import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import { configurationRecord, parseSequenceHeader } from './av1-sequence-header.js';
import { FrameAssembler } from './frame-assembler.js';
import type { Depacketizer, DepacketizerOutput } from './frame.js';
import { readLeb128, writeLeb128 } from './leb128.js';

/** OBU types (AV1 specification, 6.2.2). */
const obuTypes = { sequenceHeader: 1, temporalDelimiter: 2, tileList: 8, padding: 15 };

interface Part {
  elements: Buffer[];
  /** The first element goes on from the packet before. */
  continues: boolean;
  /** The last element goes on in the next packet. */
  unfinished: boolean;
}

/** "RTP Payload Format For AV1". Frames are temporal units in the low-overhead format, as Matroska has them. */
export class Av1Depacketizer implements Depacketizer {
  private readonly assembler = new FrameAssembler<Part>({
    parse: parsePart,
    isStart: part => !part.continues,
    join: joinParts,
  });

  push(packet: OrderedPacket): DepacketizerOutput {
    return this.assembler.push(packet);
  }
}

/** Aggregation header: Z Y W W N. */
function parsePart(payload: Buffer): Part | undefined {
  const header = payload[0]!;
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

function joinParts(parts: Part[]) {
  const units = joinElements(parts);
  if (!units) return undefined;
  const kept = units.filter(unit => !isDropped(unit));
  if (kept.length === 0) return undefined;
  const sized = kept.map(withSize);
  if (sized.some(unit => unit === undefined)) return undefined;
  const data = Buffer.concat(sized as Buffer[]);
  const header = kept.findIndex(unit => obuType(unit) === obuTypes.sequenceHeader);
  if (header < 0) return { data, keyframe: false };
  const sequence = parseSequenceHeader(obuPayload(kept[header]!));
  if (!sequence) return undefined;
  const codecPrivate = configurationRecord(sequence, sized[header]!);
  return { data, keyframe: true, size: { width: sequence.width, height: sequence.height }, codecPrivate };
}

function joinElements(parts: Part[]): Buffer[] | undefined {
  const units: Buffer[] = [];
  let open: Buffer[] = [];
  for (const part of parts) {
    if (part.continues !== open.length > 0) return undefined;
    part.elements.forEach((element, i) => {
      open.push(element);
      if (part.unfinished && i === part.elements.length - 1) return;
      units.push(Buffer.concat(open));
      open = [];
    });
  }
  return open.length > 0 ? undefined : units.filter(unit => unit.length > 0);
}

function obuType(unit: Buffer): number {
  return (unit[0]! >> 3) & 0x0f;
}

function isDropped(unit: Buffer): boolean {
  const type = obuType(unit);
  return type === obuTypes.temporalDelimiter || type === obuTypes.tileList || type === obuTypes.padding;
}

function headerLength(unit: Buffer): number {
  return (unit[0]! & 0x04) !== 0 ? 2 : 1;
}

function hasSize(unit: Buffer): boolean {
  return (unit[0]! & 0x02) !== 0;
}

function obuPayload(unit: Buffer): Buffer {
  const start = headerLength(unit);
  if (!hasSize(unit)) return unit.subarray(start);
  const size = readLeb128(unit, start);
  return size ? unit.subarray(start + size.length, start + size.length + size.value) : Buffer.alloc(0);
}

/** RTP leaves sizes out; Matroska wants one in every OBU. */
function withSize(unit: Buffer): Buffer | undefined {
  const start = headerLength(unit);
  if (unit.length < start) return undefined;
  const payload = obuPayload(unit);
  const header = Buffer.from(unit.subarray(0, start));
  header[0] = header[0]! | 0x02;
  return Buffer.concat([header, writeLeb128(payload.length), payload]);
}
