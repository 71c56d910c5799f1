import type { Clock, Timer } from '@rtms/clock';
import type { WhepEndpoint } from './player-source.js';
import { PlayerFailure, toFailure } from './failure.js';
import { type HttpSession, offerOverHttp } from './http-session.js';
import type { Transport, TransportListener, TransportStats } from './transport.js';
import { followViewer } from './viewer-events.js';
import { WhepMeter } from './whep-meter.js';

interface WhepOptions {
  /** Called once per transport. */
  endpoint: () => Promise<WhepEndpoint>;
  video: HTMLVideoElement;
  clock: Clock;
}

const lookEveryMs = 500;
/** Without media for so long the transport has stalled. */
const stalledAfterMs = 3_000;
/** Most interruptions end within this time without a restart. */
const waitingMs = 3_000;
/** Limit from the PATCH to the connection. */
const restartingMs = 8_000;

/** Plays by WebRTC. Restarts ICE when the connection fails, if the server offers it. */
export class WhepTransport implements Transport {
  private readonly connection: RTCPeerConnection | undefined;
  private readonly stream: MediaStream | undefined;
  private readonly ended = new AbortController();
  private readonly meter = new WhepMeter();
  private session: HttpSession | undefined;
  private watching: Timer | undefined;
  private recovering: Timer | undefined;
  private video: HTMLVideoElement;
  private lastMediaAt: number | undefined;
  private isInactive = false;
  private isRestarting = false;

  constructor(
    private readonly options: WhepOptions,
    private readonly listener: TransportListener,
  ) {
    this.video = options.video;
    if (typeof RTCPeerConnection !== 'undefined') {
      this.connection = new RTCPeerConnection();
      this.stream = new MediaStream();
    }
    void this.open().catch((error: unknown) => this.lose(toFailure(error, 'bad_answer')));
  }

  get stats(): TransportStats {
    return this.meter.stats;
  }

  show(video: HTMLVideoElement): void {
    if (video !== this.video) this.video.srcObject = null;
    this.video = video;
    if (!this.isClosed() && this.stream) video.srcObject = this.stream;
  }

  async close({ saysGoodbye = false } = {}): Promise<void> {
    if (!this.isClosed()) this.release();
    if (saysGoodbye) await this.session?.close();
  }

  private isClosed(): boolean {
    return this.ended.signal.aborted;
  }

  private release(): void {
    this.ended.abort();
    this.watching?.cancel();
    this.recovering?.cancel();
    this.connection?.close();
    if (this.stream && this.video.srcObject === this.stream) this.video.srcObject = null;
  }

  private async open(): Promise<void> {
    const { connection, stream } = this;
    const { signal } = this.ended;
    const { url, token, tracks } = await this.options.endpoint();
    if (this.isClosed()) return;
    if (!connection || !stream) throw new PlayerFailure('unsupported', 'This browser has no WebRTC.');
    connection.addEventListener('track', ({ track }) => stream.addTrack(track));
    for (const kind of tracks ?? (['video', 'audio'] as const))
      connection.addTransceiver(kind, { direction: 'recvonly' });
    connection.addEventListener('connectionstatechange', () => this.follow(connection.connectionState));
    this.show(this.video);
    this.session = await offerOverHttp(connection, { url, token, signal });
    if (this.isClosed()) return;
    this.watching = this.options.clock.every(lookEveryMs, () => void this.look(connection));
    const { eventsUrl } = this.session;
    if (eventsUrl === undefined) return;
    void followViewer(
      { url: eventsUrl, token, signal, clock: this.options.clock },
      {
        onEvent: type => this.hear(type),
        onGone: () => this.lose(new PlayerFailure('connection_lost', 'The media node closed the connection.')),
      },
    );
  }

  private hear(type: string): void {
    if (type === 'reconnect') this.listener.onLeaving();
    // The source sends again, so its media is due.
    if (type === 'active' && this.isInactive) this.lastMediaAt ??= this.options.clock.now();
    this.isInactive = type === 'inactive' || (this.isInactive && type !== 'active');
    if (type === 'inactive') this.listener.onStalled('source_inactive');
  }

  /** Media is bytes that arrive: a picture may stand still. */
  private async look(connection: RTCPeerConnection): Promise<void> {
    const { clock } = this.options;
    const hasGrown = this.meter.take(await connection.getStats().catch(() => undefined), clock.now());
    if (this.isClosed()) return;
    if (hasGrown) {
      this.lastMediaAt = clock.now();
      this.isInactive = false;
      return this.listener.onMedia();
    }
    if (this.lastMediaAt === undefined || this.isInactive) return;
    if (clock.now() - this.lastMediaAt >= stalledAfterMs) this.listener.onStalled('no_media');
  }

  private follow(state: RTCPeerConnectionState): void {
    if (this.isClosed()) return;
    if (state === 'connected') {
      this.isRestarting = false;
      this.recovering?.cancel();
    } else if (state === 'disconnected') this.recoverAfter(waitingMs);
    else if (state === 'failed') void this.recover();
    else if (state === 'closed') this.lose(new PlayerFailure('connection_lost'));
  }

  private recoverAfter(milliseconds: number): void {
    this.recovering?.cancel();
    this.recovering = this.options.clock.after(milliseconds, () => void this.recover());
  }

  /** Restarts ICE once per interruption. */
  private async recover(): Promise<void> {
    const { session } = this;
    if (this.isRestarting || !session?.mayRestart) return this.lose(new PlayerFailure('connection_lost'));
    this.isRestarting = true;
    this.recoverAfter(restartingMs);
    await session.restartIce().catch((error: unknown) => this.lose(toFailure(error, 'connection_lost')));
  }

  private lose(failure: PlayerFailure): void {
    if (this.isClosed()) return;
    void this.close();
    this.listener.onLost(failure);
  }
}
