import { payloadOf } from './rtp-payload.js';

/** What RTP packets of an H264 stream (RFC 6184) tell about how it was encoded. */
export interface H264Findings {
  /** profile_idc, constraint flags and level_idc of the sequence parameter set, as `profile-level-id` writes them. */
  profileLevelID?: string;
  bFrames: boolean;
  /** Pictures seen so far; encoders with several threads make each of several slices. */
  pictures: number;
}

export const nalType = { slice: 1, idr: 5, sps: 7, stapA: 24, fuA: 28 } as const;

/** The NAL units, or their beginnings, in a payload: a header byte and at least some of what follows. */
export function* nalUnits(payload: Buffer): Generator<Buffer> {
  const type = payload.readUInt8(0) & 0x1f;
  if (type === nalType.stapA) yield* aggregated(payload);
  else if (type === nalType.fuA) yield* fragmentStart(payload);
  else yield payload;
}

function* aggregated(payload: Buffer): Generator<Buffer> {
  for (let offset = 1; offset + 2 < payload.length;) {
    const size = payload.readUInt16BE(offset);
    const unit = payload.subarray(offset + 2, offset + 2 + size);
    if (unit.length > 0) yield unit;
    offset += 2 + size;
  }
}

function* fragmentStart(payload: Buffer): Generator<Buffer> {
  if (payload.length < 3 || (payload.readUInt8(1) & 0x80) === 0) return;
  const header = (payload.readUInt8(0) & 0xe0) | (payload.readUInt8(1) & 0x1f);
  yield Buffer.concat([Buffer.from([header]), payload.subarray(2)]);
}

/** Reads Exp-Golomb numbers, ue(v) of H.264 section 9.1; undefined at the end of the bytes. */
export class ExpGolombReader {
  private bit = 0;

  constructor(private readonly bytes: Buffer) {}

  next(): number | undefined {
    let zeros = 0;
    while (this.readBit() === 0) zeros++;
    if (zeros > 31 || this.bit > this.bytes.length * 8) return undefined;
    let value = 1;
    for (let i = 0; i < zeros; i++) value = value * 2 + (this.readBit() ?? 0);
    return value - 1;
  }

  /** The next bits as a number, u(n). */
  bits(count: number): number | undefined {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + (this.readBit() ?? 0);
    return this.bit > this.bytes.length * 8 ? undefined : value;
  }

  private readBit(): number | undefined {
    const byte = this.bytes[this.bit >> 3];
    const bit = byte === undefined ? undefined : (byte >> (7 - (this.bit & 7))) & 1;
    this.bit++;
    return bit;
  }
}

/** first_mb_in_slice and slice_type begin a slice header (H.264 section 7.3.3); types 1 and 6 are B. */
function readSlice(unit: Buffer): { beginsPicture: boolean; isB: boolean } {
  const reader = new ExpGolombReader(unit.subarray(1, 16));
  const [firstMacroblock, sliceType] = [reader.next(), reader.next()];
  return { beginsPicture: firstMacroblock === 0, isB: sliceType === 1 || sliceType === 6 };
}

function withSlice(findings: H264Findings, unit: Buffer): H264Findings {
  const { beginsPicture, isB } = readSlice(unit);
  return {
    ...findings,
    pictures: findings.pictures + (beginsPicture ? 1 : 0),
    bFrames: findings.bFrames || isB,
  };
}

/** Takes one RTP packet into account. */
export function inspectH264(packet: Buffer, findings: H264Findings): H264Findings {
  const payload = payloadOf(packet);
  if (!payload) return findings;
  let result = { ...findings };
  for (const unit of nalUnits(payload)) {
    const type = unit.readUInt8(0) & 0x1f;
    if (type === nalType.sps && unit.length >= 4) result.profileLevelID = unit.subarray(1, 4).toString('hex');
    if (type === nalType.slice || type === nalType.idr) result = withSlice(result, unit);
  }
  return result;
}
