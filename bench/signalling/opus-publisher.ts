import ndc from 'node-datachannel';
import { waitFor } from '@rtms/testing';
import { trySend } from '@rtms/whip-publisher';

const ssrc = 4711;
const payloadType = 111;
/** A 20 ms Opus frame without sound (RFC 6716, 3.1: SILK narrowband, no data). */
const silence = Buffer.from([0xf8, 0xff, 0xfe]);

/** The lightest publisher there is: one real peer that sends silent Opus frames. */
export class OpusPublisher {
  private readonly pc = new ndc.PeerConnection('opus', { iceServers: [] });
  private timer: NodeJS.Timeout | undefined;
  private sequence = 0;
  private session: string | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Publishes; returns the milliseconds from the POST to its answer. */
  async connect(): Promise<number> {
    const section = new ndc.Audio('0', 'SendOnly');
    section.addOpusCodec(payloadType);
    section.addSSRC(ssrc, 'opus', 'opus', 'audio');
    const track = this.pc.addTrack(section);
    this.pc.setLocalDescription('offer');
    await waitFor(() => this.pc.gatheringState() === 'complete', { what: 'the candidates' });
    const started = performance.now();
    const response = await fetch(this.url, {
      method: 'POST',
      body: this.pc.localDescription()?.sdp ?? '',
      headers: { 'content-type': 'application/sdp', ...this.authorization },
    });
    const answer = await response.text();
    const elapsed = performance.now() - started;
    if (response.status !== 201) throw new Error(`WHIP ${response.status}: ${answer}`);
    this.session = new URL(response.headers.get('location') ?? '', this.url).href;
    this.pc.setRemoteDescription(answer, 'answer');
    this.timer = setInterval(() => track.isOpen() && trySend(track, this.nextPacket()), 20);
    return elapsed;
  }

  private nextPacket(): Buffer {
    const header = Buffer.alloc(12);
    header[0] = 0x80;
    header[1] = payloadType;
    header.writeUInt16BE(this.sequence++ & 0xffff, 2);
    header.writeUInt32BE((this.sequence * 960) >>> 0, 4);
    header.writeUInt32BE(ssrc, 8);
    return Buffer.concat([header, silence]);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    if (this.session) await fetch(this.session, { method: 'DELETE', headers: this.authorization });
    this.pc.close();
  }

  private get authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }
}
