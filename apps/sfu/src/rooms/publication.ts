import type { Closeable } from '@rtms/bus';
import type { MediaKind, SessionTrack } from '@rtms/contracts';
import type {
  MediaRoom,
  MemberSender,
  PeerTransport,
  PublishedTrack,
  PublisherTransport,
} from '../media/media-engine.js';
import { codecNameOf } from '../media/codecs.js';
import { answeredSetup, answerPublished, buildAnswer, remoteDtlsRole } from '../signalling/sdp/build-answer.js';
import type { PublishedSection } from '../signalling/sdp/publish-parameters.js';
import type { SessionOffer } from '../signalling/sdp/session-offer.js';
import { Listeners } from '../media/listeners.js';
import { SignalledPeer } from './signalled-peer.js';

/** Whether media arrives: not yet, now, or no longer. */
type PublicationState = 'connecting' | 'live' | 'lost';

/** One connection of a session's publisher, until DELETE, a takeover or the end of the session. */
export abstract class Publication implements Closeable {
  private wasComplete = false;

  protected constructor(
    protected readonly transport: PeerTransport,
    private readonly openedAt: number,
  ) {}

  abstract readonly tracks: readonly PublishedTrack[];
  /** B-frames that the publisher has announced. Those of other publishers are found by their packets. */
  readonly hasBFrames: boolean = false;

  /** Calls back when `state` may have changed. `state` also changes with time, so the room's sweep reads it too. */
  onChange(listener: () => void): void {
    this.transport.onStateChange(state => {
      // This node closed it, or the media worker died. The room handles both.
      if (state !== 'closed') listener();
    });
    for (const track of this.tracks) track.onReceiving(listener);
  }

  /** Calls back with each track, including later ones. */
  onTrack(listener: (track: PublishedTrack) => void): void {
    this.tracks.forEach(listener);
  }

  /** `live`: ICE and DTLS are connected, every kind has received RTP, and one received RTP recently. */
  state(now: number, lostAfter: number): PublicationState {
    const { state } = this.transport;
    if (state === 'lost' || state === 'closed') return 'lost';
    this.wasComplete ||= this.isComplete();
    if (state !== 'connected' || !this.wasComplete) return 'connecting';
    return now - this.lastSign() >= lostAfter ? 'lost' : 'live';
  }

  /** Whether this publisher blocks a second one: it is connected and was heard within `takeoverAfter` ms. */
  isHolding(now: number, takeoverAfter: number): boolean {
    const { state } = this.transport;
    return state !== 'lost' && state !== 'closed' && now - this.lastSign() < takeoverAfter;
  }

  /** Time of the last packet of any kind, in ms since 1970; undefined: unknown. */
  lastHeardAt(): number | undefined {
    return this.transport.lastHeardAt?.();
  }

  describeTracks(): SessionTrack[] {
    return this.tracks.map(({ trackID, kind, codec, state }) => ({ trackID, kind, codec: codecNameOf(codec), state }));
  }

  /** The transport closes its tracks. */
  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Whether every expected track has received RTP. */
  protected abstract isComplete(): boolean;

  private lastSign(): number {
    return Math.max(this.openedAt, ...this.tracks.map(track => track.lastReceivedAt() ?? 0));
  }
}

/** One connection of a WHIP publisher, opened by its POST. */
export class WhipPublication extends Publication {
  private constructor(
    readonly peer: SignalledPeer<PublisherTransport>,
    readonly tracks: readonly PublishedTrack[],
    readonly answer: string,
    openedAt: number,
    override readonly hasBFrames: boolean,
  ) {
    super(peer.transport, openedAt);
  }

  /** Opens the transport and the tracks. Closes everything if one step fails. */
  static async open(
    media: MediaRoom,
    offer: SessionOffer,
    sections: readonly PublishedSection[],
    { openedBy, now, hasBFrames }: { openedBy: string; now: number; hasBFrames: boolean },
  ): Promise<WhipPublication> {
    const transport = await media.openPublisher();
    try {
      const publishing = sections.map(({ section, rtpParameters }) => transport.publish(section.kind, rtpParameters));
      const connecting = transport.connect({
        role: remoteDtlsRole(offer.setup),
        fingerprints: offer.fingerprints,
      });
      // Waits for all before one error closes the transport, so that no track appears on a closed transport.
      await Promise.allSettled([...publishing, connecting]);
      const tracks = await Promise.all(publishing);
      await connecting;
      const { ice, fingerprints } = transport;
      const answer = buildAnswer(sections.map(answerPublished), {
        ice,
        fingerprints,
        setup: answeredSetup(offer.setup),
      });
      return new WhipPublication(new SignalledPeer(transport, offer, openedBy), tracks, answer, now, hasBFrames);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  protected isComplete(): boolean {
    return this.tracks.every(track => track.state === 'ended' || track.lastReceivedAt() !== undefined);
  }
}

/** One connection of a publisher that uses the client SDK. Its tracks arrive one after the other. */
export class MemberPublication extends Publication {
  private readonly added: PublishedTrack[] = [];
  private readonly changes = new Listeners<[]>();
  private readonly additions = new Listeners<[PublishedTrack]>();

  constructor(
    sender: MemberSender,
    private readonly kinds: readonly MediaKind[],
    openedAt: number,
  ) {
    super(sender, openedAt);
  }

  get tracks(): readonly PublishedTrack[] {
    return this.added.filter(({ state }) => state !== 'ended');
  }

  isOf(sender: MemberSender): boolean {
    return this.transport === sender;
  }

  add(track: PublishedTrack): void {
    this.added.push(track);
    track.onReceiving(() => this.changes.emit());
    this.additions.emit(track);
  }

  override onChange(listener: () => void): void {
    this.changes.add(listener);
    super.onChange(listener);
  }

  override onTrack(listener: (track: PublishedTrack) => void): void {
    this.additions.add(listener);
    super.onTrack(listener);
  }

  protected isComplete(): boolean {
    return this.kinds.every(kind =>
      this.tracks.some(track => track.kind === kind && track.lastReceivedAt() !== undefined),
    );
  }
}
