import type { MediaRoom, PublishedTrack, PublisherTransport } from '../media/media-engine.js';
import { answerPublished } from '../sdp/answer-sections.js';
import { answeredSetup, buildAnswer, remoteDtlsRole } from '../sdp/build-answer.js';
import type { PublishedSection } from '../sdp/publish-parameters.js';
import type { SessionOffer } from '../sdp/session-offer.js';
import { Publication } from './publication.js';
import { SignalledPeer } from './signalled-peer.js';

/** One connection of a WHIP publisher, from its POST on. */
export class WhipPublication extends Publication {
  private constructor(
    readonly peer: SignalledPeer<PublisherTransport>,
    readonly tracks: readonly PublishedTrack[],
    readonly answer: string,
    openedAt: number,
  ) {
    super(peer.transport, openedAt);
  }

  /** Opens transport and tracks; when one step fails nothing is left behind. */
  static async open(
    media: MediaRoom,
    offer: SessionOffer,
    sections: readonly PublishedSection[],
    { openedBy, now }: { openedBy: string; now: number },
  ): Promise<WhipPublication> {
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
      return new WhipPublication(new SignalledPeer(transport, offer, openedBy), tracks, answer, now);
    } catch (error) {
      await transport.close();
      throw error;
    }
  }

  protected isComplete(): boolean {
    return this.tracks.every(track => track.state === 'ended' || track.lastReceivedAt() !== undefined);
  }
}
