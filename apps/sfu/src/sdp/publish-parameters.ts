import type { MediaKind } from '@rtms/contracts';
import { engineCapabilities, rtxPayloadTypeOf } from '../media/engine-codecs.js';
import { isRtx, receivedAs } from '../media/match-codec.js';
import type { RtpCodec, RtpEncoding, RtpParameters } from '../media/rtp-parameters.js';
import { usableFeedback } from './congestion-feedback.js';
import { unacceptable } from './offer-errors.js';
import type { OfferedExtension, OfferedSection, SessionOffer } from './session-offer.js';

/** A media section of a publisher, and what is received of it by the offer's own numbers. */
export interface PublishedSection {
  section: OfferedSection;
  rtpParameters: RtpParameters;
}

/**
 * What a publisher's offer brings. There are no partial answers (RFC 9725 section 4.2): an offer that cannot
 * be taken whole, or that lacks a kind the session was made for, is `unacceptable_offer`.
 */
export function toPublishedSections(offer: SessionOffer, wanted: readonly MediaKind[]): PublishedSection[] {
  const kinds = offer.sections.map(({ kind }) => kind);
  for (const kind of wanted) {
    if (!kinds.includes(kind)) throw unacceptable(`The session needs ${kind}, but the offer has none.`);
  }
  for (const kind of kinds) {
    if (!wanted.includes(kind)) throw unacceptable(`The offer has ${kind}, but the session was made without it.`);
  }
  if (new Set(kinds).size < kinds.length) throw unacceptable('At most one track of a kind can be published.');
  const streams = new Set(offer.sections.map(({ stream }) => stream).filter(Boolean));
  if (streams.size > 1)
    throw unacceptable('All tracks must be of one MediaStream, but their "msid" lines name several.');
  return offer.sections.map(section => ({ section, rtpParameters: toRtpParameters(section) }));
}

function toRtpParameters(section: OfferedSection): RtpParameters {
  if (section.direction === 'recvonly' || section.direction === 'inactive')
    throw unacceptable(`The ${section.kind} section must be sendonly or sendrecv.`);
  const headerExtensions = receivedExtensions(section);
  if (section.rids) checkLayers(section.rids, headerExtensions);
  const codecs = receivedCodecs(section).map(codec => ({
    ...codec,
    rtcpFeedback: usableFeedback(codec.rtcpFeedback, headerExtensions),
  }));
  return {
    ...(section.mid !== '' && { mid: section.mid }),
    codecs,
    headerExtensions: headerExtensions.map(({ uri, id }) => ({ uri, id })),
    encodings: section.rids?.map(rid => ({ rid })) ?? [toEncoding(section, codecs, headerExtensions)],
    rtcp: { ...(section.cname !== undefined && { cname: section.cname }), reducedSize: section.reducedSizeRtcp },
  };
}

/** In the offer's order: what a publisher sends decides, not what it lists first. */
function receivedCodecs(section: OfferedSection): RtpCodec[] {
  const media = preferMode1(section.codecs.filter(codec => !isRtx(codec) && receivedAs(codec) !== undefined));
  if (media.length === 0) throw unacceptable(`None of the ${section.kind} codecs in the offer can be received.`);
  return media.flatMap(codec => {
    const rtx = retransmissionOf(section, codec);
    return rtx ? [codec, rtx] : [codec];
  });
}

/** H264 is taken with packetization-mode 0 only where the offer has no mode 1 (RFC 6184 section 6). */
function preferMode1(codecs: RtpCodec[]): RtpCodec[] {
  const isMode1 = (codec: RtpCodec) => codec.parameters['packetization-mode'] === 1;
  const isH264 = (codec: RtpCodec) => codec.mimeType.toLowerCase() === 'video/h264';
  return codecs.some(isMode1) ? codecs.filter(codec => !isH264(codec) || isMode1(codec)) : codecs;
}

/** Without a known SSRC for it, retransmissions that come in the RTX format could not be told apart. */
function retransmissionOf(section: OfferedSection, codec: RtpCodec): RtpCodec | undefined {
  const isKnown = section.rtxSsrc !== undefined || section.ssrc === undefined;
  const received = receivedAs(codec);
  if (!isKnown || !received || rtxPayloadTypeOf(received.payloadType) === undefined) return undefined;
  return section.codecs.find(other => isRtx(other) && Number(other.parameters['apt']) === codec.payloadType);
}

/** Without layers these extensions are of no use. */
const ofLayers = /:sdes:(?:repaired-)?rtp-stream-id$/;

/** As many as the media engine forwards; more than any encoder sends. */
const maxLayers = 4;

/** Packets name their layer by the extension (RFC 8852), and there is no other way to tell layers apart. */
function checkLayers(rids: readonly string[], extensions: readonly OfferedExtension[]): void {
  if (rids.length > maxLayers) throw unacceptable(`The offer has more than ${maxLayers} simulcast layers.`);
  const has = (name: string) => extensions.some(({ uri }) => uri.endsWith(name));
  if (!has(':sdes:rtp-stream-id') || !has(':sdes:mid'))
    throw unacceptable('Simulcast needs the "rtp-stream-id" and "mid" header extensions.');
}

function receivedExtensions({ kind, headerExtensions, rids }: OfferedSection): OfferedExtension[] {
  const known = new Set(engineCapabilities.headerExtensions[kind].map(({ uri }) => uri));
  return headerExtensions.filter(
    ({ uri, direction }) =>
      known.has(uri) &&
      (rids !== undefined || !ofLayers.test(uri)) &&
      direction !== 'recvonly' &&
      direction !== 'inactive',
  );
}

function toEncoding(section: OfferedSection, codecs: RtpCodec[], extensions: OfferedExtension[]): RtpEncoding {
  if (section.ssrc === undefined && !extensions.some(({ uri }) => uri.endsWith(':sdes:mid')))
    throw unacceptable(`The ${section.kind} section needs an "ssrc" line or the mid header extension.`);
  const rtxSsrc = codecs.some(isRtx) ? section.rtxSsrc : undefined;
  return {
    ...(section.ssrc !== undefined && { ssrc: section.ssrc }),
    ...(rtxSsrc !== undefined && { rtx: { ssrc: rtxSsrc } }),
  };
}
