import { ServiceError, type MediaKind, type PayloadProfile } from '@rtms/contracts';
import { engineCapabilities } from '../media/engine-codecs.js';
import type { PublishedTrack } from '../media/media-engine.js';
import { areDistinct, numbersFor, type PayloadNumbers } from '../media/payload-numbers.js';
import type { ReceiverCapabilities } from '../media/rtp-parameters.js';
import { unacceptable } from './offer-errors.js';
import type { OfferedSection, SessionOffer } from './session-offer.js';

/** A media section of a viewer: with capabilities it shall be sent a track, without it stays inactive. */
export interface ViewedSection {
  section: OfferedSection;
  capabilities?: ReceiverCapabilities;
}

/**
 * Which sections of a viewer's offer get a track. A section of a kind that the playback does not have is answered
 * inactive, since players offer audio and video whatever they are shown; an offer without any use is `unacceptable_offer`.
 */
export function toViewedSections(offer: SessionOffer, available: readonly MediaKind[]): ViewedSection[] {
  const taken = new Set<MediaKind>();
  const viewed = offer.sections.map(section => {
    if (section.direction === 'sendonly')
      throw unacceptable(`The ${section.kind} section must be recvonly or sendrecv.`);
    const isUsed = section.direction !== 'inactive' && available.includes(section.kind) && !taken.has(section.kind);
    if (isUsed) taken.add(section.kind);
    return isUsed ? { section, capabilities: toCapabilities(section) } : { section };
  });
  if (taken.size === 0) throw unacceptable(`The offer must receive ${available.join(' or ')}.`);
  return viewed;
}

/**
 * The media worker sends by its own header extension ids and cannot translate them, so one counts only where the
 * viewer's id is the same; browsers refuse an answer that changes an id.
 */
function toCapabilities({ kind, mid, codecs, headerExtensions }: OfferedSection): ReceiverCapabilities {
  const ours = engineCapabilities.headerExtensions[kind];
  const usable = headerExtensions.filter(
    ({ uri, id, direction }) =>
      direction !== 'sendonly' && direction !== 'inactive' && ours.some(own => own.uri === uri && own.id === id),
  );
  return { kind, mid, codecs, headerExtensions: usable.map(({ uri, id }) => ({ uri, id })) };
}

/** The player's numbers are not ours: it would decode nothing, so it is told which numbers to offer. */
export function payloadTypeMismatch(kind: MediaKind, payloadProfile: PayloadProfile): ServiceError {
  const message = `The ${kind} payload types of the offer are not those of the endpoint's payload profile.`;
  return new ServiceError('payload_type_mismatch', message, { payloadProfile });
}

/**
 * The numbers of the viewer's own offer by which it is sent the tracks. Throws `payload_type_mismatch` where it has none
 * for one of their codecs.
 */
export function adaptedNumbers(
  sections: readonly ViewedSection[],
  tracks: readonly Pick<PublishedTrack, 'kind' | 'codec'>[],
  payloadProfile: PayloadProfile,
): PayloadNumbers {
  const numbers = sections.flatMap(({ section: { kind }, capabilities }) => {
    const track = tracks.find(candidate => candidate.kind === kind);
    if (!track || !capabilities) return [];
    const found = numbersFor(capabilities, track.codec);
    if (!found) throw codecMismatch(track, payloadProfile);
    return [found];
  });
  if (!areDistinct(numbers)) throw unacceptable('A payload type of the offer stands for two codecs.');
  return numbers;
}

function codecMismatch({ kind, codec }: Pick<PublishedTrack, 'kind' | 'codec'>, payloadProfile: PayloadProfile) {
  const message = `The offer has no ${kind} format for ${codec.mimeType}, which is what the source sends.`;
  return new ServiceError('payload_type_mismatch', message, { payloadProfile });
}
