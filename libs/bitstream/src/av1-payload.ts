import { parseSequenceHeader, type SequenceHeader } from './av1-sequence-header.js';
import { readLeb128 } from './leb128.js';

/** OBU types (AV1 specification, 6.2.2). */
export const obuTypes = { sequenceHeader: 1, temporalDelimiter: 2, tileList: 8, padding: 15 };

/** An RTP payload of AV1 ("RTP Payload Format For AV1", 4). */
export interface Av1Payload {
  /** OBUs, or the parts of OBUs that this packet has. At least one. */
  elements: Buffer[];
  /** Z: the first element goes on from the packet before. */
  continues: boolean;
  /** Y: the last element goes on in the next packet. */
  unfinished: boolean;
}

/** Undefined when the payload is cut short or breaks its own counts. Aggregation header: Z Y W W N. */
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

/** Of an OBU that is not empty. */
export function obuType(unit: Buffer): number {
  return (unit[0]! >> 3) & 0x0f;
}

/** With the extension, where the OBU has one; without its size. In bytes. */
export function obuHeaderLength(unit: Buffer): number {
  return (unit[0]! & 0x04) !== 0 ? 2 : 1;
}

/** Behind the OBU's header, its extension and its size, where it has them. */
export function obuPayload(unit: Buffer): Buffer {
  const start = obuHeaderLength(unit);
  const hasSize = (unit[0]! & 0x02) !== 0;
  if (!hasSize) return unit.subarray(start);
  const size = readLeb128(unit, start);
  return size ? unit.subarray(start + size.length, start + size.length + size.value) : Buffer.alloc(0);
}

/** The sequence header that stands whole in one RTP payload; undefined where there is none. */
export function sequenceHeaderOf({ elements, continues, unfinished }: Av1Payload): SequenceHeader | undefined {
  const whole = elements.slice(continues ? 1 : 0, unfinished ? -1 : undefined);
  const unit = whole.find(each => each.length > 0 && obuType(each) === obuTypes.sequenceHeader);
  return unit && parseSequenceHeader(obuPayload(unit));
}
