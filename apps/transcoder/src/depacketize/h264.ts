import { parseSpsSize } from '@rtms/bitstream';
import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import { FrameAssembler } from './frame-assembler.js';
import type { Depacketizer, DepacketizerOutput } from './frame.js';
import { avcDecoderConfiguration, nalTypes, nalUnitType, startsPicture, type ParameterSets } from './h264-nal.js';

/** Payload structures (RFC 6184, 5.2). */
const stapA = 24;
const fuA = 28;

type Part = { whole: Buffer[] } | { fragment: Buffer; header: number; first: boolean; last: boolean };

/** RFC 6184, packetization modes 0 and 1. Frames are length-prefixed NAL units (ISO/IEC 14496-15). */
export class H264Depacketizer implements Depacketizer {
  private readonly sets: ParameterSets;
  private readonly assembler = new FrameAssembler<Part>({
    parse: parsePart,
    isStart: part =>
      'whole' in part ? part.whole.some(startsPicture) : part.first && startsPicture(fragmentHead(part)),
    join: parts => this.join(parts),
  });

  /** `spropParameterSets` as in `a=fmtp`, for senders that keep parameter sets out of the stream. */
  constructor(spropParameterSets = '') {
    this.sets = {};
    for (const set of spropParameterSets.split(',')) this.remember(Buffer.from(set, 'base64'));
  }

  push(packet: OrderedPacket): DepacketizerOutput {
    return this.assembler.push(packet);
  }

  private join(parts: Part[]) {
    const units = joinFragments(parts);
    if (!units || units.length === 0) return undefined;
    for (const unit of units) this.remember(unit);
    const keyframe = units.some(unit => nalUnitType(unit) === nalTypes.idr);
    if (!keyframe) return { data: lengthPrefixed(units), keyframe };
    const { sps, pps } = this.sets;
    const size = sps && parseSpsSize(sps);
    if (!sps || !pps || !size) return undefined;
    const data = lengthPrefixed(withParameterSets(units, sps, pps));
    return { data, keyframe, size, codecPrivate: avcDecoderConfiguration(sps, pps) };
  }

  private remember(unit: Buffer): void {
    // Copied: the unit is a slice of a datagram that must not be kept alive.
    if (nalUnitType(unit) === nalTypes.sps) this.sets.sps = Buffer.from(unit);
    if (nalUnitType(unit) === nalTypes.pps) this.sets.pps = Buffer.from(unit);
  }
}

function parsePart(payload: Buffer): Part | undefined {
  const type = nalUnitType(payload);
  if (type > 0 && type < stapA) return { whole: [payload] };
  if (type === stapA) return parseAggregate(payload);
  if (type !== fuA || payload.length < 3) return undefined;
  const indicator = payload[0]!;
  const header = payload[1]!;
  return {
    fragment: payload.subarray(2),
    header: (indicator & 0xe0) | (header & 0x1f),
    first: (header & 0x80) !== 0,
    last: (header & 0x40) !== 0,
  };
}

function parseAggregate(payload: Buffer): Part | undefined {
  const whole: Buffer[] = [];
  for (let offset = 1; offset < payload.length;) {
    if (offset + 2 > payload.length) return undefined;
    const end = offset + 2 + payload.readUInt16BE(offset);
    if (end > payload.length) return undefined;
    if (end > offset + 2) whole.push(payload.subarray(offset + 2, end));
    offset = end;
  }
  return { whole };
}

/** The beginning of the NAL unit that a first fragment belongs to. */
function fragmentHead(part: { fragment: Buffer; header: number }): Buffer {
  return Buffer.concat([Buffer.of(part.header), part.fragment.subarray(0, 1)]);
}

function joinFragments(parts: Part[]): Buffer[] | undefined {
  const units: Buffer[] = [];
  let open: Buffer[] | undefined;
  for (const part of parts) {
    if ('whole' in part) {
      if (open) return undefined;
      units.push(...part.whole);
      continue;
    }
    if (part.first === (open !== undefined)) return undefined;
    open ??= [Buffer.of(part.header)];
    open.push(part.fragment);
    if (!part.last) continue;
    units.push(Buffer.concat(open));
    open = undefined;
  }
  return open ? undefined : units;
}

/** Parameter sets stand in every keyframe, so that a decoder follows a change of size. */
function withParameterSets(units: Buffer[], sps: Buffer, pps: Buffer): Buffer[] {
  const others = units.filter(unit => ![nalTypes.sps, nalTypes.pps, nalTypes.aud].includes(nalUnitType(unit)));
  return [sps, pps, ...others];
}

function lengthPrefixed(units: Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap(unit => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}
