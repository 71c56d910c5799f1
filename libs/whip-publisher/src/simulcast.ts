import type { MediaKind } from '@rtms/contracts';
import type { StreamNumbers } from './outgoing-stream.js';

/** The streams of video, the largest picture first. All but the first exist only with simulcast. */
export const videoStreams = ['video', 'half', 'quarter'] as const;
export type VideoStream = (typeof videoStreams)[number];
export type StreamName = 'audio' | VideoStream;

export function kindOf(stream: StreamName): MediaKind {
  return stream === 'audio' ? 'audio' : 'video';
}

/** One-byte header extensions (RFC 8285). No other extension is offered. */
const extensions = {
  mid: { id: 1, uri: 'urn:ietf:params:rtp-hdrext:sdes:mid' },
  rid: { id: 2, uri: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id' },
} as const;

/** One character each, so that the extension of a packet has eight bytes. */
const mids: Readonly<Record<MediaKind, string>> = { audio: '0', video: '1' };
const rids: Readonly<Record<VideoStream, string>> = { video: 'f', half: 'h', quarter: 'q' };

/** The header extension that tells the layer of a packet (RFC 8852): profile, length in words, then MID and RID. */
export function layerExtension(stream: VideoStream): Buffer {
  const { mid, rid } = extensions;
  const values = [mid.id << 4, mids.video.charCodeAt(0), rid.id << 4, rids[stream].charCodeAt(0)];
  return Buffer.from([0xbe, 0xde, 0, 1, ...values]);
}

/**
 * Offers the streams as simulcast layers (RFC 8853), which RID and not SSRC tells apart. The smallest is first, as mediasoup orders them: the
 * SFU then makes no other producer when it has seen the sizes.
 */
export function withLayers(lines: readonly string[], streams: readonly VideoStream[]): string[] {
  const names = streams.map(stream => rids[stream]).reverse();
  const layers = [
    ...Object.values(extensions).map(({ id, uri }) => `a=extmap:${id} ${uri}`),
    ...names.map(rid => `a=rid:${rid} send`),
    `a=simulcast:send ${names.join(';')}`,
  ];
  let isVideo = false;
  return lines.flatMap(line => {
    if (line.startsWith('m=')) isVideo = line.startsWith('m=video');
    if (isVideo && /^a=(?:ssrc|msid)/.test(line)) return [];
    return isVideo && line.startsWith('a=mid:') ? [line, ...layers] : [line];
  });
}

/** The RTP timestamp of a time. The streams of one publisher share the clock of these times. */
export interface TimeReport {
  /** Milliseconds since 1900, as in NTP. */
  ntpMs: number;
  rtpTimestamp: number;
}

export interface SentCounts {
  packets: number;
  bytes: number;
}

/** RFC 3550 section 6.4.1, without report blocks. Receivers relate the layers of simulcast by these reports. */
export function senderReport(
  { ssrc }: Pick<StreamNumbers, 'ssrc'>,
  { ntpMs, rtpTimestamp }: TimeReport,
  { packets, bytes }: SentCounts,
): Buffer {
  const report = Buffer.alloc(28);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc, 4);
  report.writeUInt32BE(Math.floor(ntpMs / 1000) >>> 0, 8);
  report.writeUInt32BE(Math.floor(((ntpMs % 1000) / 1000) * 2 ** 32) >>> 0, 12);
  report.writeUInt32BE(rtpTimestamp >>> 0, 16);
  report.writeUInt32BE(packets >>> 0, 20);
  report.writeUInt32BE(bytes >>> 0, 24);
  return report;
}
