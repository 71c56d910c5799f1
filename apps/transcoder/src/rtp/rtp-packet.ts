/** An RTP packet (RFC 3550, 5.1), header extensions and padding taken off. */
export interface RtpPacket {
  payloadType: number;
  /** 16 bits. */
  sequenceNumber: number;
  /** 32 bits, in units of the codec's clock. */
  timestamp: number;
  ssrc: number;
  marker: boolean;
  payload: Buffer;
}

const fixedHeaderLength = 12;

/** Returns undefined for anything that is not a whole RTP packet of version 2. */
export function parseRtpPacket(datagram: Buffer): RtpPacket | undefined {
  if (datagram.length < fixedHeaderLength || datagram[0]! >> 6 !== 2) return undefined;
  const start = payloadStart(datagram);
  const end = payloadEnd(datagram);
  if (start === undefined || start > end) return undefined;
  return {
    payloadType: datagram[1]! & 0x7f,
    sequenceNumber: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    marker: (datagram[1]! & 0x80) !== 0,
    payload: datagram.subarray(start, end),
  };
}

function payloadStart(datagram: Buffer): number | undefined {
  const afterSources = fixedHeaderLength + 4 * (datagram[0]! & 0x0f);
  const hasExtension = (datagram[0]! & 0x10) !== 0;
  if (!hasExtension) return afterSources;
  if (datagram.length < afterSources + 4) return undefined;
  return afterSources + 4 + 4 * datagram.readUInt16BE(afterSources + 2);
}

function payloadEnd(datagram: Buffer): number {
  const hasPadding = (datagram[0]! & 0x20) !== 0;
  return hasPadding ? datagram.length - datagram[datagram.length - 1]! : datagram.length;
}
