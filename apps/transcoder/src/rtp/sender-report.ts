/** What an RTCP sender report says of time (RFC 3550, 6.4.1): both values stand for the same instant. */
export interface SenderReport {
  ssrc: number;
  /** ms since 1970, by the sender's clock. */
  ntpTimeMs: number;
  /** 32 bits. */
  rtpTimestamp: number;
}

const senderReportType = 200;
const senderReportLength = 28;
/** Seconds from 1900 (NTP) to 1970. */
const ntpEpochOffset = 2_208_988_800;

/** The sender reports in a compound RTCP datagram; whatever else is in it, or broken, is passed over. */
export function parseSenderReports(datagram: Buffer): SenderReport[] {
  const reports: SenderReport[] = [];
  for (let offset = 0; offset + 4 <= datagram.length;) {
    const length = 4 * (datagram.readUInt16BE(offset + 2) + 1);
    const report = parseSenderReport(datagram.subarray(offset, offset + length));
    if (report) reports.push(report);
    offset += length;
  }
  return reports;
}

function parseSenderReport(part: Buffer): SenderReport | undefined {
  if (part.length < senderReportLength || part[0]! >> 6 !== 2 || part[1] !== senderReportType) return undefined;
  const seconds = part.readUInt32BE(8) - ntpEpochOffset;
  const fraction = part.readUInt32BE(12) / 2 ** 32;
  return { ssrc: part.readUInt32BE(4), ntpTimeMs: (seconds + fraction) * 1000, rtpTimestamp: part.readUInt32BE(16) };
}

/** Whether a datagram is RTCP, where RTP and RTCP share a port (RFC 5761, 4). */
export function isRtcp(datagram: Buffer): boolean {
  return datagram.length >= 8 && datagram[1]! >= 192 && datagram[1]! <= 223;
}
