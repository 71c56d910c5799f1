import type { PlayerSource } from '../transports/player-source.js';
import { PlayerFailure, type PlayerReason } from '../transports/failure.js';
import type { TransportOpener } from '../transports/open-transport.js';
import type { Transport, TransportKind, TransportListener } from '../transports/transport.js';

/** A transport that a test drives through its listener. */
export class FakeTransport implements Transport {
  readonly stats = { width: 640, height: 360 };
  isClosed = false;
  hasSaidGoodbye = false;

  constructor(
    readonly kind: TransportKind,
    readonly source: Promise<PlayerSource>,
    /** The element that shows it. */
    public video: HTMLVideoElement,
    private readonly listener: TransportListener,
  ) {
    source.catch((error: unknown) => this.listener.onLost(error as PlayerFailure));
  }

  show(video: HTMLVideoElement): void {
    this.video = video;
  }

  async close({ saysGoodbye = false } = {}): Promise<void> {
    this.isClosed = true;
    this.hasSaidGoodbye ||= saysGoodbye;
  }

  plays(): void {
    this.listener.onMedia();
  }

  stalls(reason: 'no_media' | 'source_inactive' = 'no_media'): void {
    this.listener.onStalled(reason);
  }

  mustMove(): void {
    this.listener.onLeaving();
  }

  fails(reason: PlayerReason = 'connection_lost', retryAfterMs = 0): void {
    this.listener.onLost(new PlayerFailure(reason, reason, retryAfterMs));
  }
}

/** All transports that a player has opened. */
export class FakeTransports {
  readonly opened: FakeTransport[] = [];

  readonly open: TransportOpener =
    (kind, { address }) =>
    (video, listener) => {
      const transport = new FakeTransport(kind, address(), video, listener);
      this.opened.push(transport);
      return transport;
    };

  /** The newest one. */
  get last(): FakeTransport {
    const last = this.opened.at(-1);
    if (!last) throw new Error('The player has opened nothing.');
    return last;
  }

  get kinds(): string {
    return this.opened.map(({ kind }) => kind).join(' ');
  }

  /** Kinds of those that are open. */
  get openKinds(): string {
    return this.opened.flatMap(({ isClosed, kind }) => (isClosed ? [] : [kind])).join(' ');
  }
}

/** A video element that plays unless `refusal` is set. */
export class FakeVideo {
  autoplay = false;
  paused = false;
  refusal: Error | undefined;
  starts = 0;

  static make(): FakeVideo & HTMLVideoElement {
    return new FakeVideo() as FakeVideo & HTMLVideoElement;
  }

  async play(): Promise<void> {
    this.starts += 1;
    if (this.refusal) throw this.refusal;
  }
}
