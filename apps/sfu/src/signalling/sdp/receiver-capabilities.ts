import { type MediaKind, type PayloadProfile, type ReceiverCapabilities, ServiceError } from '@rtms/contracts';
import { engineCapabilities } from '../../media/codecs.js';
import type { PublishedTrack } from '../../media/media-engine.js';
import { areDistinct, numbersFor, type PayloadNumbers } from '../../media/payload-numbers.js';
import { type OfferedSection, type SessionOffer, unacceptable } from './session-offer.js';

/** A viewer's section. With capabilities it receives a track, without them it stays inactive. */
export interface ViewedSection {
  section: OfferedSection;
  capabilities?: ReceiverCapabilities;
}

/**
 * Decides which sections of a viewer's offer receive a track. Players always offer audio and video, so a section whose kind
 * is not available becomes inactive. Throws `unacceptable_offer` if no section can receive a track.
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
 * Keeps the header extensions whose id is the same on both sides. The media worker cannot translate ids, and browsers refuse
 * an answer that changes an id.
 */
function toCapabilities({ kind, mid, codecs, headerExtensions }: OfferedSection): ReceiverCapabilities {
  const ours = engineCapabilities.headerExtensions[kind];
  const usable = headerExtensions.filter(
    ({ uri, id, direction }) =>
      direction !== 'sendonly' && direction !== 'inactive' && ours.some(own => own.uri === uri && own.id === id),
  );
  return { kind, mid, codecs, headerExtensions: usable.map(({ uri, id }) => ({ uri, id })) };
}

/** The player could not decode our payload types. The error lists the payload types to offer. */
export function payloadTypeMismatch(kind: MediaKind, payloadProfile: PayloadProfile): ServiceError {
  const message = `The ${kind} payload types of the offer are not those of the endpoint's payload profile.`;
  return new ServiceError('payload_type_mismatch', message, { payloadProfile });
}

/**
 * Returns the payload types of the viewer's own offer for the tracks. Throws `payload_type_mismatch` if the offer has none
 * for the codec of a track.
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
  if (!areDistinct(numbers))
    throw unacceptable('The offer uses one payload type for two codecs. Use a payload type once.');
  return numbers;
}

function codecMismatch({ kind, codec }: Pick<PublishedTrack, 'kind' | 'codec'>, payloadProfile: PayloadProfile) {
  const message = `The offer has no ${kind} format for ${codec.mimeType}, which is what the source sends.`;
  return new ServiceError('payload_type_mismatch', message, { payloadProfile });
}
