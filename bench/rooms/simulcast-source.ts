import type { RtpDescription } from '@rtms/contracts';

/** One RTP stream: so many packets of so many bytes a second. */
interface Stream {
  kind: 'audio' | 'video';
  ssrc: number;
  payloadType: number;
  clockRate: number;
  packetsPerSecond: number;
  bytes: number;
}

/** Microphone of 64 kbit/s and a camera in two layers of 30 and 240 kbit/s. */
const shapes = [
  { kind: 'audio', payloadType: 111, clockRate: 48_000, packetsPerSecond: 50, bytes: 160 },
  { kind: 'video', payloadType: 96, clockRate: 90_000, packetsPerSecond: 15, bytes: 250 },
  { kind: 'video', payloadType: 96, clockRate: 90_000, packetsPerSecond: 30, bytes: 1_000 },
] as const;
const keyframeEverySeconds = 1;
let nextSsrc = 100_000;

/** Packets that have the form of media; nothing is encoded. */
export class SimulcastSource {
  readonly streams: readonly Stream[] = shapes.map(shape => ({ ...shape, ssrc: nextSsrc++ }));
  private readonly sent = this.streams.map(() => 0);
  private reports = 0;

  ssrcs(kind: Stream['kind']): number[] {
    return this.streams.filter(stream => stream.kind === kind).map(({ ssrc }) => ssrc);
  }

  /** As mediasoup-client would describe it to the service. */
  rtpParameters(kind: Stream['kind'], mid: string): RtpDescription {
    const video = { mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000 };
    const audio = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };
    const rtcpFeedback = kind === 'video' ? [{ type: 'nack', parameter: 'pli' }] : [];
    return {
      mid,
      codecs: [{ ...(kind === 'video' ? video : audio), parameters: {}, rtcpFeedback }],
      headerExtensions: [],
      encodings: this.ssrcs(kind).map(ssrc => ({ ssrc })),
      rtcp: { cname: `source-${this.streams[0]?.ssrc}`, reducedSize: true },
    };
  }

  /** All that is to be sent until a time since the start, in seconds. */
  due(seconds: number): { kind: Stream['kind']; packet: Buffer }[] {
    const result: { kind: Stream['kind']; packet: Buffer }[] = [];
    const isReportDue = this.reports <= seconds;
    if (isReportDue) this.reports++;
    for (const [index, stream] of this.streams.entries()) {
      // Layers can be joined only where sender reports relate their clocks.
      if (isReportDue) result.push({ kind: stream.kind, packet: senderReport(stream, seconds) });
      for (let number = this.sent[index] ?? 0; number < seconds * stream.packetsPerSecond; number++) {
        result.push({ kind: stream.kind, packet: mediaPacket(stream, number) });
        this.sent[index] = number + 1;
      }
    }
    return result;
  }
}

function mediaPacket(stream: Stream, number: number): Buffer {
  const { kind, ssrc, payloadType, clockRate, packetsPerSecond, bytes } = stream;
  const packet = Buffer.alloc(12 + bytes, 0x5a);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(0x80 | payloadType, 1);
  packet.writeUInt16BE(number & 0xffff, 2);
  packet.writeUInt32BE(((number * clockRate) / packetsPerSecond) >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  if (kind === 'video') {
    // RFC 7741: S marks a frame's first packet; the lowest bit of the frame tag is 0 in a keyframe.
    packet.writeUInt8(0x10, 12);
    packet.writeUInt8(number % (packetsPerSecond * keyframeEverySeconds) === 0 ? 0 : 1, 13);
  }
  return packet;
}

/** RFC 3550, 6.4.1, without report blocks. */
function senderReport({ ssrc, clockRate, packetsPerSecond, bytes }: Stream, seconds: number): Buffer {
  const report = Buffer.alloc(28);
  const packets = Math.floor(seconds * packetsPerSecond);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc, 4);
  report.writeUInt32BE(Math.floor(seconds) + 1_000, 8);
  report.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), 12);
  report.writeUInt32BE((seconds * clockRate) >>> 0, 16);
  report.writeUInt32BE(packets, 20);
  report.writeUInt32BE(packets * bytes, 24);
  return report;
}
