/** Writes RTP packets (RFC 3550) of one stream; the payload says whether it is a keyframe. */
export class RtpSource {
  private sequenceNumber = 1;
  private timestamp = 1;

  constructor(
    private readonly options: { payloadType: number; ssrc: number; clockRate: number; packetsPerSecond: number },
  ) {}

  next(payload: Buffer): Buffer {
    const { payloadType, ssrc, clockRate, packetsPerSecond } = this.options;
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt8(0x80 | payloadType, 1);
    header.writeUInt16BE(this.sequenceNumber++ & 0xffff, 2);
    header.writeUInt32BE(this.timestamp >>> 0, 4);
    header.writeUInt32BE(ssrc, 8);
    this.timestamp += clockRate / packetsPerSecond;
    return Buffer.concat([header, payload]);
  }
}

const filler = Buffer.alloc(200, 0x5a);

/** VP8 (RFC 7741): S bit set in the descriptor; the P bit of the frame tag is 0 in a keyframe. */
export function vp8Payload(keyframe: boolean): Buffer {
  return Buffer.concat([Buffer.from([0x10, keyframe ? 0x00 : 0x01, 0x00, 0x00]), filler]);
}

/** H264 (RFC 6184): parameter sets and an IDR slice in a STAP-A, or one P or B slice. */
export function h264Payload(slice: 'key' | 'p' | 'b', profileLevelID = '42e01f'): Buffer {
  if (slice !== 'key') return Buffer.concat([Buffer.from([0x41, slice === 'b' ? 0b1010_0000 : 0b1100_0000]), filler]);
  const sps = Buffer.concat([Buffer.from([0x67]), Buffer.from(profileLevelID, 'hex'), Buffer.from([0x8d, 0x68])]);
  const idr = Buffer.concat([Buffer.from([0x65, 0x88]), filler]);
  return Buffer.concat([Buffer.from([0x78]), ...[sps, Buffer.from([0x68, 0xce, 0x3c, 0x80]), idr].flatMap(withSize)]);
}

function withSize(unit: Buffer): Buffer[] {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(unit.length);
  return [size, unit];
}

/** Payload-specific feedback with format 1 is a picture loss indication, with 4 a full intra request (RFC 4585, 5104). */
export function countKeyframeRequests(compound: Buffer): number {
  let count = 0;
  for (let offset = 0; offset + 4 <= compound.length;) {
    const format = compound.readUInt8(offset) & 0x1f;
    if (compound.readUInt8(offset + 1) === 206 && (format === 1 || format === 4)) count++;
    offset += (compound.readUInt16BE(offset + 2) + 1) * 4;
  }
  return count;
}
