import type { MediaKind, RtpCodec, RtpEncoding, RtpParameters } from '@rtms/contracts';
import { engineCapabilities, isRtx, receivedAs, rtxPayloadTypeOf } from '../../media/codecs.js';
import { isUnderstood } from './parse-section.js';
import { type OfferedExtension, type OfferedSection, type SessionOffer, unacceptable } from './session-offer.js';

/** A publisher's section and the parameters to receive it with, in the offer's payload types. */
export interface PublishedSection {
  section: OfferedSection;
  rtpParameters: RtpParameters;
}

/**
 * Returns the sections of a publisher's offer. Throws `unacceptable_offer` if one section is unusable, or if the kinds
 * are not those of the session. Partial answers are not allowed (RFC 9725 section 4.2).
 */
export function toPublishedSections(offer: SessionOffer, wanted: readonly MediaKind[]): PublishedSection[] {
  const kinds = offer.sections.map(({ kind }) => kind);
  for (const kind of wanted) {
    if (!kinds.includes(kind))
      throw unacceptable(`The offer has no ${kind}, but the session requires it. Add a ${kind} section.`);
  }
  for (const kind of kinds) {
    if (!wanted.includes(kind))
      throw unacceptable(`The offer has ${kind}, but the session has none. Remove the ${kind} section.`);
  }
  if (new Set(kinds).size < kinds.length)
    throw unacceptable('The offer has two sections of one kind. Publish at most one track of each kind.');
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

/** All receivable codecs, in the offer's order: the publisher may send any of them. */
function receivedCodecs(section: OfferedSection): RtpCodec[] {
  const media = preferMode1(section.codecs.filter(codec => !isRtx(codec) && receivedAs(codec) !== undefined));
  if (media.length === 0) throw unacceptable(`None of the ${section.kind} codecs in the offer can be received.`);
  return media.flatMap(codec => {
    const rtx = retransmissionOf(section, codec);
    return rtx ? [codec, rtx] : [codec];
  });
}

/** Accepts H264 with packetization-mode 0 only if the offer has no mode 1 (RFC 6184 section 6). */
function preferMode1(codecs: RtpCodec[]): RtpCodec[] {
  const isMode1 = (codec: RtpCodec) => codec.parameters['packetization-mode'] === 1;
  const isH264 = (codec: RtpCodec) => codec.mimeType.toLowerCase() === 'video/h264';
  return codecs.some(isMode1) ? codecs.filter(codec => !isH264(codec) || isMode1(codec)) : codecs;
}

const transportWide = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
const absoluteSendTime = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';

/** Keeps one congestion control for each stream: transport-cc if its extension is offered, else REMB, which needs send times. */
function usableFeedback(
  feedback: RtpCodec['rtcpFeedback'],
  extensions: readonly OfferedExtension[],
): RtpCodec['rtcpFeedback'] {
  const has = (uri: string) => extensions.some(extension => extension.uri === uri);
  return feedback.filter(each => {
    if (each.type === 'transport-cc') return has(transportWide);
    if (each.type === 'goog-remb') return has(absoluteSendTime) && !has(transportWide);
    return isUnderstood(each);
  });
}

/** The RTX codec of a codec. RTX needs a known SSRC, else its packets cannot be assigned. */
function retransmissionOf(section: OfferedSection, codec: RtpCodec): RtpCodec | undefined {
  const isKnown = section.rtxSsrc !== undefined || section.ssrc === undefined;
  const received = receivedAs(codec);
  if (!isKnown || !received || rtxPayloadTypeOf(received.payloadType) === undefined) return undefined;
  return section.codecs.find(other => isRtx(other) && Number(other.parameters['apt']) === codec.payloadType);
}

/** These extensions are useful only for simulcast. */
const ofLayers = /:sdes:(?:repaired-)?rtp-stream-id$/;

/** The media engine forwards at most this many. Encoders send fewer. */
const maxLayers = 4;

/** Only the header extension tells to which layer a packet belongs (RFC 8852). */
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
