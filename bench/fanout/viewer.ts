import ndc from 'node-datachannel';
import { waitFor } from '@rtms/testing';
import { h264Parameters, type VideoCodec, videoPayloadTypes } from './rtp-publisher.js';

interface Received {
  packets: number;
  /** Extended sequence numbers of the first and last packet (RFC 3550 appendix A.1). */
  first: number;
  last: number;
}

export interface ViewerOptions {
  kinds?: readonly ('audio' | 'video')[];
  codec?: VideoCodec;
  /** Without counting, libdatachannel receives and drops the packets, without an event for each in this process. */
  isCounted?: boolean;
  /** Called with each RTP packet, if the packets are counted. */
  onPacket?: (packet: Buffer) => void;
}

/** A WHEP viewer with real ICE, DTLS and SRTP that decodes nothing. */
export class Viewer {
  private readonly pc: ndc.PeerConnection;
  private readonly streams = new Map<number, Received>();
  private readonly handlers: object[] = [];
  private session: string | undefined;
  /** Of the server's media worker, UDP. */
  mediaAddress = '';
  mediaPort = 0;
  /** Milliseconds from the POST to its answer. */
  answeredMs = 0;
  /** Milliseconds from the POST to the connection. */
  connectedMs = 0;
  private readonly onPacket: (packet: Buffer) => void;

  constructor(
    private readonly url: string,
    private readonly token: string,
    name: string,
    { kinds = ['audio', 'video'], codec = 'VP8', isCounted = true, onPacket = () => undefined }: ViewerOptions = {},
  ) {
    this.onPacket = onPacket;
    this.pc = new ndc.PeerConnection(name, { iceServers: [], forceMediaTransport: true });
    const audio = new ndc.Audio('0', 'RecvOnly');
    audio.addOpusCodec(111);
    const video = new ndc.Video('1', 'RecvOnly');
    const payloadType = videoPayloadTypes[codec];
    if (codec === 'H264') video.addH264Codec(payloadType, h264Parameters);
    else video.addVideoCodec(payloadType, codec);
    video.addRTXCodec(payloadType + 1, payloadType, 90_000);
    if (kinds.includes('audio')) this.receive(this.pc.addTrack(audio), isCounted);
    if (kinds.includes('video')) this.receive(this.pc.addTrack(video), isCounted);
  }

  async connect(): Promise<void> {
    this.pc.setLocalDescription('offer');
    await waitFor(() => this.pc.gatheringState() === 'complete', { what: 'a viewer’s candidates' });
    const headers = { 'content-type': 'application/sdp', ...this.authorization };
    const postedAt = performance.now();
    const response = await fetch(this.url, { method: 'POST', body: this.pc.localDescription()?.sdp ?? '', headers });
    const answer = await response.text();
    this.answeredMs = performance.now() - postedAt;
    if (response.status !== 201) throw new Error(`WHEP ${response.status}: ${answer}`);
    this.session = new URL(response.headers.get('location') ?? '', this.url).href;
    const [, address = '', port = 0] = /a=candidate:\S+ 1 udp \d+ (\S+) (\d+)/i.exec(answer) ?? [];
    [this.mediaAddress, this.mediaPort] = [address, Number(port)];
    this.pc.setRemoteDescription(answer, 'answer');
    await waitFor(() => this.isConnected, { what: 'a viewer to be connected' });
    this.connectedMs = performance.now() - postedAt;
  }

  /** A viewer that is cut receives nothing, and counts no packet as lost. */
  get isConnected(): boolean {
    return this.pc.state() === 'connected';
  }

  /** Counts from now on. */
  reset(): void {
    this.streams.clear();
  }

  /** RTP packets received since the reset, and those that were sent in between. */
  counts(): { received: number; expected: number } {
    let [received, expected] = [0, 0];
    for (const { packets, first, last } of this.streams.values()) {
      received += packets;
      expected += last - first + 1;
    }
    return { received, expected };
  }

  async close(): Promise<void> {
    if (this.session) await fetch(this.session, { method: 'DELETE', headers: this.authorization });
    this.pc.close();
  }

  private get authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  /** The handler sends receiver reports; without them the worker would take the viewer for a bad receiver. */
  private receive(track: ndc.Track, isCounted: boolean): void {
    const reporting = new ndc.RtcpReceivingSession();
    this.handlers.push(track, reporting);
    track.setMediaHandler(reporting);
    if (isCounted) track.onMessage(packet => this.count(packet));
  }

  private count(packet: Buffer): void {
    const type = packet.readUInt8(1);
    if (type >= 192 && type <= 223) return; // RTCP (RFC 5761 section 4)
    this.onPacket(packet);
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    const stream = this.streams.get(ssrc) ?? { packets: 0, first: sequence, last: sequence };
    const ahead = ((sequence - stream.last) << 16) >> 16;
    if (ahead > 0) stream.last += ahead;
    stream.packets++;
    this.streams.set(ssrc, stream);
  }
}
