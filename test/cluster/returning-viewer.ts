import { setTimeout as pause } from 'node:timers/promises';
import ndc from 'node-datachannel';
import type { Playback } from '../system/harness/api-client.js';
import { GapMeter } from './gap-meter.js';

/** A player takes a connection without pictures for this long as lost, and tries again this often. */
const lostAfterMs = 1_000;
const retryMs = 500;
const connectsWithinMs = 4_000;
const requestTimeoutMs = 15_000;
/** A server of the `Link` header that `IceServers` of the SFU writes. */
const turnByUdp = /<turn:([^:>]+):(\d+)\?transport=udp>; rel="ice-server"; username="([^"]+)"; credential="([^"]+)"/;
/** RTCP packet types (RFC 5761 section 4) share the socket with RTP. */
const isRtcp = (packet: Buffer): boolean => (packet[1] ?? 0) >= 192 && (packet[1] ?? 0) <= 223;

export interface ViewerOptions {
  /** The viewer's address, from which only the TURN server that the endpoint names reaches the SFUs. */
  relayedFrom?: string | undefined;
}

/** A WHEP viewer that connects again by itself. It measures the pauses between pictures, and decodes nothing. */
export class ReturningViewer {
  readonly pictures = new GapMeter(lostAfterMs);
  private readonly stop = new AbortController();
  private connection: ndc.PeerConnection | undefined;
  /** Keeps the native objects from garbage collection while the connection is open. */
  protected kept: unknown[] = [];
  private watching: Promise<void>;

  constructor(
    private readonly playback: Playback,
    private readonly options: ViewerOptions,
  ) {
    this.watching = this.watch();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.watching;
    this.connection?.close();
  }

  private async watch(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      const isConnected = await this.connect().catch(() => false);
      while (isConnected && !signal.aborted && this.pictures.silentMs < lostAfterMs) await pause(50);
      if (!isConnected) await pause(retryMs);
    }
  }

  /** Returns whether pictures arrive. */
  private async connect(): Promise<boolean> {
    this.connection?.close();
    const { relayedFrom } = this.options;
    const connection = new ndc.PeerConnection('viewer', {
      iceServers: relayedFrom === undefined ? [] : [await this.turnServer()],
      ...(relayedFrom !== undefined && { bindAddress: relayedFrom }),
      forceMediaTransport: true,
    });
    this.connection = connection;
    const video = new ndc.Video('0', 'RecvOnly');
    video.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1');
    const track = connection.addTrack(video);
    const reporting = new ndc.RtcpReceivingSession();
    track.setMediaHandler(reporting);
    let isFirst = true;
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>(resolve => (arrived = resolve));
    track.onMessage(packet => {
      if (isRtcp(packet) || this.connection !== connection) return;
      this.pictures.note();
      if (isFirst) arrived();
      isFirst = false;
    });
    this.kept = [connection, track, reporting];
    connection.setLocalDescription('offer');
    while (connection.gatheringState() !== 'complete') await pause(5);
    const response = await fetch(this.playback.endpoint, {
      method: 'POST',
      body: connection.localDescription()?.sdp ?? '',
      headers: { 'content-type': 'application/sdp', authorization: `Bearer ${this.playback.token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const answer = await response.text();
    if (response.status !== 201) return false;
    connection.setRemoteDescription(answer, 'answer');
    await Promise.race([arrival, pause(connectsWithinMs)]);
    return !isFirst;
  }

  private async turnServer(): Promise<ndc.IceServer> {
    const response = await fetch(this.playback.endpoint, {
      method: 'OPTIONS',
      headers: { authorization: `Bearer ${this.playback.token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const [, hostname, port, username, password] = turnByUdp.exec(response.headers.get('link') ?? '') ?? [];
    if (!hostname || !username || !password) throw new Error('the endpoint names no TURN server');
    return { hostname, port: Number(port), username, password, relayType: 'TurnUdp' };
  }
}
