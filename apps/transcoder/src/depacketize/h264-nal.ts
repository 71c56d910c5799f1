/** NAL unit types (H.264, table 7-1) that matter here. */
export const nalTypes = { slice: 1, idr: 5, sei: 6, sps: 7, pps: 8, aud: 9 };

export interface ParameterSets {
  sps?: Buffer;
  pps?: Buffer;
}

/** 0, which no unit has, for an empty buffer. */
export function nalUnitType(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** Whether a picture can begin with this NAL unit. */
export function startsPicture(unit: Buffer): boolean {
  const type = nalUnitType(unit);
  if (type === nalTypes.sps || type === nalTypes.aud || type === nalTypes.sei || type === nalTypes.pps) return true;
  // first_mb_in_slice is 0: as an Exp-Golomb code a single 1 bit.
  return (type === nalTypes.slice || type === nalTypes.idr) && ((unit[1] ?? 0) & 0x80) !== 0;
}

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) with four-byte lengths. */
export function avcDecoderConfiguration(sps: Buffer, pps: Buffer): Buffer {
  const head = Buffer.of(1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1);
  return Buffer.concat([head, lengthOf(sps), sps, Buffer.of(1), lengthOf(pps), pps]);
}

function lengthOf(set: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(set.length);
  return length;
}
