import {
  obuHeaderLength,
  obuPayload,
  obuType,
  obuTypes,
  parseAv1Payload,
  parseSequenceHeader,
  writeLeb128,
  type Av1Payload,
  type SequenceHeader,
} from '@rtms/bitstream';
import type { FrameFormat } from './frame-assembler.js';

/** "RTP Payload Format For AV1". A frame is a temporal unit in the low-overhead format, which Matroska requires. */
export const av1Format: FrameFormat<Av1Payload> = {
  parse: parseAv1Payload,
  isStart: part => !part.continues,
  join: joinParts,
};

function joinParts(parts: Av1Payload[]) {
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

function joinElements(parts: Av1Payload[]): Buffer[] | undefined {
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

function isDropped(unit: Buffer): boolean {
  const type = obuType(unit);
  return type === obuTypes.temporalDelimiter || type === obuTypes.tileList || type === obuTypes.padding;
}

/** RTP omits OBU sizes; Matroska requires a size in every OBU. */
function withSize(unit: Buffer): Buffer | undefined {
  const start = obuHeaderLength(unit);
  if (unit.length < start) return undefined;
  const payload = obuPayload(unit);
  const header = Buffer.from(unit.subarray(0, start));
  header[0] = header[0]! | 0x02;
  return Buffer.concat([header, writeLeb128(payload.length), payload]);
}

/** AV1CodecConfigurationRecord (AV1 in ISO base media, 2.3.3), with the sequence header as its configOBUs. */
function configurationRecord(sequence: SequenceHeader, sequenceHeaderObu: Buffer): Buffer {
  const flags =
    (sequence.tier << 7) |
    (Number(sequence.highBitDepth) << 6) |
    (Number(sequence.twelveBit) << 5) |
    (Number(sequence.monochrome) << 4) |
    (sequence.subsamplingX << 3) |
    (sequence.subsamplingY << 2) |
    sequence.chromaSamplePosition;
  return Buffer.concat([Buffer.of(0x81, (sequence.profile << 5) | sequence.level, flags, 0), sequenceHeaderObu]);
}
