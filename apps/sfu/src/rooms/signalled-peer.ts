import type { Closeable } from '@rtms/bus';
import { SerialQueue } from '@rtms/node';
import { nanoid } from 'nanoid';
import type { LocalIce, PeerTransport } from '../media/media-engine.js';
import { iceEtag } from '../signalling/sdp/sdpfrag.js';
import type { RemoteIce, SessionOffer } from '../signalling/sdp/session-offer.js';

/** The connection behind one WHIP or WHEP session URL. */
export class SignalledPeer<Transport extends PeerTransport = PeerTransport> implements Closeable {
  /** Last segment of the session URL. It must not be guessable (RFC 9725 section 5). */
  readonly key = nanoid(32);
  private remote: RemoteIce;
  private readonly restarts = new SerialQueue();

  constructor(
    readonly transport: Transport,
    private readonly offer: SessionOffer,
    /** Digest of the token that opened the session. The token stays valid for this session after it expires. */
    readonly openedBy: string,
  ) {
    this.remote = offer.ice;
  }

  /** Entity tag of the current ICE session. */
  get etag(): string {
    return iceEtag(this.transport.ice, this.remote);
  }

  get remoteUsernameFragment(): string {
    return this.remote.usernameFragment;
  }

  /** The first section, whose candidates and credentials apply to all (RFC 8843 section 7.2). */
  get taggedSection(): { kind: string; mid: string } {
    const [first] = this.offer.sections;
    return { kind: first?.kind ?? 'audio', mid: first?.mid ?? '' };
  }

  /** Restarts ICE with new credentials on both sides. Keeps the old credentials if it fails. Runs one restart at a time. */
  restartIce(remote: RemoteIce): Promise<LocalIce> {
    return this.restarts.run(async () => {
      const ice = await this.transport.restartIce();
      this.remote = remote;
      return ice;
    });
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}
