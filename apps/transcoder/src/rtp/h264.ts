import {
  nalTypes,
  nalUnitStarts,
  nalUnitType,
  parseH264Payload,
  parseSpsSize,
  startsPicture,
  type H264Payload,
} from '@rtms/bitstream';
import type { FrameFormat, JoinedFrame } from './frame-assembler.js';

/** RFC 6184, packetization modes 0 and 1. Frames are length-prefixed NAL units (ISO/IEC 14496-15). */
export class H264Format implements FrameFormat<H264Payload> {
  readonly parse = parseH264Payload;
  private readonly sets: { sps?: Buffer; pps?: Buffer } = {};

  /** `spropParameterSets` as in `a=fmtp`, for senders that keep parameter sets out of the stream. */
  constructor(spropParameterSets = '') {
    for (const set of spropParameterSets.split(',')) this.remember(Buffer.from(set, 'base64'));
  }

  isStart(part: H264Payload): boolean {
    return nalUnitStarts(part).some(startsPicture);
  }

  join(parts: H264Payload[]): JoinedFrame | undefined {
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
    // A copy, because a slice would keep the whole datagram in memory.
    if (nalUnitType(unit) === nalTypes.sps) this.sets.sps = Buffer.from(unit);
    if (nalUnitType(unit) === nalTypes.pps) this.sets.pps = Buffer.from(unit);
  }
}

function joinFragments(parts: H264Payload[]): Buffer[] | undefined {
  const units: Buffer[] = [];
  let open: Buffer[] | undefined;
  for (const part of parts) {
    if ('units' in part) {
      if (open) return undefined;
      units.push(...part.units);
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

/** Every keyframe carries the parameter sets, so that a decoder follows a change of size. */
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

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) with four-byte lengths. */
function avcDecoderConfiguration(sps: Buffer, pps: Buffer): Buffer {
  const head = Buffer.of(1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1);
  return Buffer.concat([head, lengthOf(sps), sps, Buffer.of(1), lengthOf(pps), pps]);
}

function lengthOf(set: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(set.length);
  return length;
}
