/** An RTP packet (RFC 3550, 5.1) without its header extensions and padding. */
export interface RtpPacket {
  payloadType: number;
  /** Sequence number, 16 bits. */
  sequenceNumber: number;
  /** Timestamp, 32 bits, in units of the codec's clock rate. */
  timestamp: number;
  ssrc: number;
  marker: boolean;
  /** A view into the datagram. Empty if the packet has only padding. */
  payload: Buffer;
}

const fixedHeaderLength = 12;

/** Reads an RTP packet. Undefined unless it is a complete packet of version 2 (RFC 3550, A.1). */
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

/** Whether a datagram on a shared port is RTCP (RFC 5761, 4). */
export function isRtcp(datagram: Buffer): boolean {
  return datagram.length >= 8 && datagram[1]! >= 192 && datagram[1]! <= 223;
}
