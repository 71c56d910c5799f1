import type { Closeable } from '@rtms/bus';
import { nanoid } from 'nanoid';
import type { LocalIce, PeerTransport } from '../media/media-engine.js';
import { iceEtag } from '../sdp/ice-etag.js';
import type { RemoteIce, SessionOffer } from '../sdp/session-offer.js';

/** A publisher's or viewer's connection as its signalling sees it: one WHIP or WHEP session URL. */
export class SignalledPeer<Transport extends PeerTransport = PeerTransport> implements Closeable {
  /** Last segment of the session URL; nobody can guess it (RFC 9725 section 5). */
  readonly key = nanoid(32);
  private remote: RemoteIce;
  private restarting: Promise<unknown> = Promise.resolve();

  constructor(
    readonly transport: Transport,
    private readonly offer: SessionOffer,
    /** Digest of the token that opened the session: it goes on authorising it after expiry. */
    readonly openedBy: string,
  ) {
    this.remote = offer.ice;
  }

  /** Names the current ICE session. */
  get etag(): string {
    return iceEtag(this.transport.ice, this.remote);
  }

  get remoteUsernameFragment(): string {
    return this.remote.usernameFragment;
  }

  /** The section whose candidates and credentials count for all. */
  get taggedSection(): { kind: string; mid: string } {
    const [first] = this.offer.sections;
    return { kind: first?.kind ?? 'audio', mid: first?.mid ?? '' };
  }

  /** New credentials on both sides; the old ones stay when this fails. One restart at a time. */
  restartIce(remote: RemoteIce): Promise<LocalIce> {
    const restart = this.restarting.then(async () => {
      const ice = await this.transport.restartIce();
      this.remote = remote;
      return ice;
    });
    this.restarting = restart.catch(() => undefined);
    return restart;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}
