import { isRtcp, parseRtpPacket } from '@rtms/bitstream';
import { waitFor } from '@rtms/testing';
import { trySend } from '@rtms/whip-publisher';
import ndc from 'node-datachannel';

/** libdatachannel always reports no loss, so this viewer makes its reports itself. */
const reportEveryMs = 1_000;
/** As Chromium asks for a keyframe while it has no picture to decode. */
const keyframeEveryMs = 200;

/** The packets of a viewer in a second. */
export interface SeenSecond {
  /** ms since 1970. */
  at: number;
  packets: number;
  missing: number;
  /** Pictures that a browser has shown. */
  frames?: number;
}

/** A WHEP viewer of VP8 that reports loss and round trips as a browser does (RFC 3550 section 6.4.2), and asks for keyframes. */
export class ReportingViewer {
  private readonly pc = new ndc.PeerConnection('viewer', { iceServers: [], forceMediaTransport: true });
  private readonly track: ndc.Track;
  private readonly timers: NodeJS.Timeout[] = [];
  private ssrc = 0;
  private first: number | undefined;
  private highest = 0;
  private received = 0;
  private former = { expected: 0, lost: 0, received: 0 };
  private lastReport: { middle: number; at: number } | undefined;
  /** Called each second with the packets that came and that are missing. */
  onSeen: (seen: SeenSecond) => void = () => undefined;
  /** Whether a packet is missing since the last keyframe. */
  private isBroken = false;

  constructor() {
    const section = new ndc.Video('0', 'RecvOnly');
    section.addVP8Codec(96);
    this.track = this.pc.addTrack(section);
    this.track.onMessage(packet => (isRtcp(packet) ? this.takeReport(packet) : this.take(packet)));
  }

  /** Returns the answer. */
  async watchByWhep(url: string, token: string): Promise<string> {
    this.pc.setLocalDescription('offer');
    await waitFor(() => this.pc.gatheringState() === 'complete', { what: 'the candidates of the viewer' });
    const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` };
    const response = await fetch(url, { method: 'POST', body: this.pc.localDescription()?.sdp ?? '', headers });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`WHEP ${response.status}: ${answer}`);
    this.pc.setRemoteDescription(answer, 'answer');
    await waitFor(() => this.received > 0, { timeoutMs: 20_000, what: 'the first packets of the viewer' });
    this.timers.push(setInterval(() => this.report(), reportEveryMs));
    this.timers.push(setInterval(() => this.isBroken && this.track.requestKeyframe(), keyframeEveryMs));
    return answer;
  }

  private take(datagram: Buffer): void {
    const packet = parseRtpPacket(datagram);
    if (!packet) return;
    const { sequenceNumber } = packet;
    this.ssrc = packet.ssrc;
    this.received += 1;
    this.first ??= sequenceNumber;
    if (this.received === 1) this.highest = sequenceNumber;
    const ahead = (sequenceNumber - (this.highest & 0xffff) + 0x1_0000) & 0xffff;
    if (ahead > 1 && ahead < 0x8000) this.isBroken = true;
    if (ahead < 0x8000) this.highest += ahead;
    if (isKeyframe(packet.payload)) this.isBroken = false;
  }

  private takeReport(packet: Buffer): void {
    // The middle 32 bits of the NTP time of a sender report.
    if (packet.length >= 28 && packet.readUInt8(1) === 200)
      this.lastReport = { middle: packet.readUInt32BE(10), at: performance.now() };
  }

  private report(): void {
    const expected = this.highest - (this.first ?? this.highest) + 1;
    const lost = Math.max(0, expected - this.received);
    const passed = expected - this.former.expected;
    const missing = Math.max(0, lost - this.former.lost);
    this.onSeen({ at: Date.now(), packets: this.received - this.former.received, missing });
    this.former = { expected, lost, received: this.received };
    const report = Buffer.alloc(32);
    report.writeUInt8(0x81, 0);
    report.writeUInt8(201, 1);
    report.writeUInt16BE(7, 2);
    report.writeUInt32BE(1, 4);
    report.writeUInt32BE(this.ssrc, 8);
    report.writeUInt32BE(lost & 0x7f_ffff, 12);
    report.writeUInt8(passed > 0 ? Math.min(255, Math.floor((missing * 256) / passed)) : 0, 12);
    report.writeUInt32BE(this.highest >>> 0, 16);
    if (this.lastReport) {
      report.writeUInt32BE(this.lastReport.middle, 24);
      report.writeUInt32BE(Math.round(((performance.now() - this.lastReport.at) / 1_000) * 65_536), 28);
    }
    trySend(this.track, report);
  }
}

/** RFC 7741: the publisher of the bench has descriptors of one byte. */
function isKeyframe(payload: Buffer): boolean {
  return payload.length > 1 && (payload.readUInt8(0) & 0x10) !== 0 && (payload.readUInt8(1) & 1) === 0;
}
