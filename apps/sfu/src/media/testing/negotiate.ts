import {
  answeredSetup,
  answerPublished,
  answerViewed,
  buildAnswer,
  remoteDtlsRole,
} from '../../signalling/sdp/build-answer.js';
import { parseOffer } from '../../signalling/sdp/parse-offer.js';
import { toPublishedSections } from '../../signalling/sdp/publish-parameters.js';
import { toViewedSections } from '../../signalling/sdp/receiver-capabilities.js';
import type { SessionOffer } from '../../signalling/sdp/session-offer.js';
import type { PeerTransport, PublishedTrack, PublisherTransport, SentTrack, ViewerTransport } from '../media-engine.js';
import type { ReceiverCapabilities } from '@rtms/contracts';

export interface Published {
  answer: string;
  tracks: PublishedTrack[];
}

export interface Viewed {
  answer: string;
  sent: SentTrack[];
  /** The capabilities of the viewer's offer, for sending another track in a section later. */
  capabilities: ReceiverCapabilities[];
}

async function connect(transport: PeerTransport, { setup, fingerprints }: SessionOffer) {
  await transport.connect({ role: remoteDtlsRole(setup), fingerprints });
  return { ice: transport.ice, fingerprints: transport.fingerprints, setup: answeredSetup(setup) };
}

/** Takes a publisher's offer as the WHIP endpoint does. */
export async function acceptPublisher(transport: PublisherTransport, sdp: string): Promise<Published> {
  const offer = parseOffer(sdp);
  const sections = toPublishedSections(
    offer,
    offer.sections.map(section => section.kind),
  );
  const tracks: PublishedTrack[] = [];
  for (const { section, rtpParameters } of sections) tracks.push(await transport.publish(section.kind, rtpParameters));
  return { tracks, answer: buildAnswer(sections.map(answerPublished), await connect(transport, offer)) };
}

/** Takes a viewer's offer as the WHEP endpoint does; throws when it cannot be sent one of the tracks. */
export async function acceptViewer(transport: ViewerTransport, sdp: string, tracks: PublishedTrack[]): Promise<Viewed> {
  const offer = parseOffer(sdp);
  const kinds = tracks.map(track => track.kind);
  const viewed = toViewedSections(offer, kinds).filter(section => section.capabilities);
  const answered = [];
  const sent: SentTrack[] = [];
  for (const view of viewed) {
    const track = tracks.find(candidate => candidate.kind === view.section.kind);
    const one = track && view.capabilities && (await transport.send(track, view.capabilities));
    if (!one) throw new Error(`The viewer cannot be sent ${view.section.kind}.`);
    sent.push(one);
    answered.push(answerViewed(view, one, 'stream'));
  }
  const capabilities = viewed.flatMap(view => view.capabilities ?? []);
  return { sent, capabilities, answer: buildAnswer(answered, await connect(transport, offer)) };
}
