import type { Closeable } from '@rtms/bus';
import type { SessionTrack } from '@rtms/contracts';
import type { MediaRoom, PublishedTrack, PublisherTransport } from '../media/media-engine.js';
import { answerPublished } from '../sdp/answer-sections.js';
import { answeredSetup, buildAnswer, remoteDtlsRole } from '../sdp/build-answer.js';
import type { PublishedSection } from '../sdp/publish-parameters.js';
import type { SessionOffer } from '../sdp/session-offer.js';
import { SignalledPeer } from './signalled-peer.js';

/** Whether media arrives: not yet, now, no longer. */
export type PublicationState = 'connecting' | 'live' | 'lost';

/** One connection of a publisher: from a WHIP POST until its DELETE, its takeover or the session's end. */
export class Publication implements Closeable {
  private receivedKinds = 0;

  private constructor(
    readonly peer: SignalledPeer<PublisherTransport>,
    readonly tracks: readonly PublishedTrack[],
    readonly answer: string,
    private readonly openedAt: number,
  ) {
    for (const track of tracks) track.onReceiving(() => this.receivedKinds++);
  }

  /** Opens transport and tracks; when one step fails nothing is left behind. */
  static async open(
    media: MediaRoom,
    offer: SessionOffer,
    sections: readonly PublishedSection[],
    { openedBy, now }: { openedBy: string; now: number },
  ): Promise<Publication> {
    const transport = await media.openPublisher();
    try {
      const tracks: PublishedTrack[] = [];
      for (const { section, rtpParameters } of sections)
        tracks.push(await transport.publish(section.kind, rtpParameters));
      await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
      const { ice, fingerprints } = transport;
      const answer = buildAnswer(sections.map(answerPublished), {
        ice,
        fingerprints,
        setup: answeredSetup(offer.setup),
      });
      return new Publication(new SignalledPeer(transport, offer, openedBy), tracks, answer, now);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  /** Calls back when `state` may have changed. Time passing changes it too, see the room's sweep. */
  onChange(listener: () => void): void {
    this.peer.transport.onStateChange(state => {
      // Closed by us, or because the media worker died, which the room tells of.
      if (state !== 'closed') listener();
    });
    for (const track of this.tracks) track.onReceiving(listener);
  }

  /** `live`: ICE and DTLS stand and every kind has received RTP (of late, at least one). */
  state(now: number, lostAfter: number): PublicationState {
    const { state } = this.peer.transport;
    if (state === 'lost' || state === 'closed') return 'lost';
    if (state !== 'connected' || this.receivedKinds < this.tracks.length) return 'connecting';
    return now - this.lastSign() >= lostAfter ? 'lost' : 'live';
  }

  /** Whether a second publisher must stay out: this one is there and was heard of late. */
  isHolding(now: number, takeoverAfter: number): boolean {
    const { state } = this.peer.transport;
    return state !== 'lost' && state !== 'closed' && now - this.lastSign() < takeoverAfter;
  }

  describeTracks(): SessionTrack[] {
    return this.tracks.map(({ trackID, kind, codec }) => ({
      trackID,
      kind,
      codec: codec.mimeType.slice(codec.mimeType.indexOf('/') + 1),
      state: 'live',
    }));
  }

  async close(): Promise<void> {
    for (const track of this.tracks) await track.close();
    await this.peer.close();
  }

  private lastSign(): number {
    return Math.max(this.openedAt, ...this.tracks.map(track => track.lastReceivedAt() ?? 0));
  }
}
