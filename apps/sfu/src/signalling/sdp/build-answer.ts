import type { DtlsRole, Fingerprint, LocalCandidate, LocalIce, SentTrack } from '../../media/media-engine.js';
import { isRtx, isSameCodec } from '../../media/codecs.js';
import type { RtpCodec, RtpHeaderExtension } from '@rtms/contracts';
import type { OfferedSection, Setup } from './session-offer.js';
import { formatFmtp, isSameFeedback } from './parse-section.js';
import type { PublishedSection } from './publish-parameters.js';
import type { ViewedSection } from './receiver-capabilities.js';

/** The answer to one section of the offer. The formats are the offer's own entries. */
export interface AnsweredSection {
  section: OfferedSection;
  direction: 'recvonly' | 'sendonly' | 'inactive';
  codecs: RtpCodec[];
  headerExtensions: RtpHeaderExtension[];
  /** RIDs of the simulcast layers to receive. */
  rids?: string[];
  /** The SSRCs to send, for a client that does not read the mid in each packet. */
  ssrc?: { media: number; rtx?: number | undefined; cname: string };
  /** Names of the stream and the track for the player. */
  msid?: { stream: string; track: string };
}

export interface AnswerTransport {
  ice: LocalIce;
  fingerprints: Fingerprint[];
  setup: 'active' | 'passive';
}

/** Our value of `a=setup`: `active` if the offer is `passive`, else `passive` (RFC 9725 section 4.4.1). */
export function answeredSetup(offered: Setup): 'active' | 'passive' {
  return offered === 'passive' ? 'active' : 'passive';
}

/** The DTLS role of the offerer. */
export function remoteDtlsRole(offered: Setup): DtlsRole {
  return answeredSetup(offered) === 'active' ? 'server' : 'client';
}

/** Writes the answer (RFC 8866, lines end with CRLF). It has one section for each section of the offer. */
export function buildAnswer(sections: readonly AnsweredSection[], transport: AnswerTransport): string {
  const mids = sections.map(({ section }) => section.mid).filter(mid => mid !== '');
  const lines = [
    'v=0',
    'o=rtms 1 1 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    ...(mids.length > 0 ? [`a=group:BUNDLE ${mids.join(' ')}`] : []),
    'a=ice-lite',
    'a=msid-semantic: WMS *',
    ...sections.flatMap((section, index) => [
      ...sectionLines(section),
      ...transportLines(transport),
      // All sections share the candidates of the first section (RFC 8843 section 8.2).
      ...(index === 0 ? candidateLines(transport.ice.candidates) : []),
    ]),
  ];
  return lines.map(line => `${line}\r\n`).join('');
}

function sectionLines(answered: AnsweredSection): string[] {
  const { section, direction, codecs, headerExtensions, rids = [], ssrc, msid } = answered;
  // The grammar requires at least one format.
  const numbers = codecs.map(({ payloadType }) => payloadType).join(' ') || '0';
  return [
    `m=${section.kind} 9 ${section.protocol} ${numbers}`,
    'c=IN IP4 0.0.0.0',
    ...(section.mid === '' ? [] : [`a=mid:${section.mid}`]),
    `a=${direction}`,
    'a=rtcp-mux',
    ...(section.reducedSizeRtcp ? ['a=rtcp-rsize'] : []),
    ...(section.extmapAllowMixed ? ['a=extmap-allow-mixed'] : []),
    ...headerExtensions.map(extension => extmapLine(extension, section)),
    ...codecs.flatMap(codecLines),
    ...layerLines(rids),
    ...(msid ? [`a=msid:${msid.stream} ${msid.track}`] : []),
    ...(ssrc ? ssrcLines(ssrc) : []),
  ];
}

/** RFC 8851 and RFC 8853. */
function layerLines(rids: readonly string[]): string[] {
  if (rids.length === 0) return [];
  return [...rids.map(rid => `a=rid:${rid} recv`), `a=simulcast:recv ${rids.join(';')}`];
}

function ssrcLines({ media, rtx, cname }: NonNullable<AnsweredSection['ssrc']>): string[] {
  const group = rtx === undefined ? [] : [`a=ssrc-group:FID ${media} ${rtx}`];
  return [...group, ...[media, rtx].flatMap(id => (id === undefined ? [] : [`a=ssrc:${id} cname:${cname}`]))];
}

/** The answer mirrors the offered direction (RFC 8285 section 6). */
function extmapLine({ id, uri }: RtpHeaderExtension, section: OfferedSection): string {
  const offered = section.headerExtensions.find(extension => extension.id === id && extension.uri === uri)?.direction;
  const suffix = offered === 'sendonly' ? '/recvonly' : offered === 'recvonly' ? '/sendonly' : '';
  return `a=extmap:${id}${suffix} ${uri}`;
}

function codecLines(codec: RtpCodec): string[] {
  const { payloadType, mimeType, clockRate, channels = 1 } = codec;
  const name = mimeType.slice(mimeType.indexOf('/') + 1);
  const fmtp = formatFmtp(codec.parameters);
  return [
    `a=rtpmap:${payloadType} ${name}/${clockRate}${channels > 1 ? `/${channels}` : ''}`,
    ...(fmtp === '' ? [] : [`a=fmtp:${payloadType} ${fmtp}`]),
    ...(isRtx(codec) ? [] : codec.rtcpFeedback.map(feedback => feedbackLine(payloadType, feedback))),
  ];
}

function feedbackLine(payloadType: number, { type, parameter }: RtpCodec['rtcpFeedback'][number]): string {
  return `a=rtcp-fb:${payloadType} ${parameter ? `${type} ${parameter}` : type}`;
}

function transportLines({ ice, fingerprints, setup }: AnswerTransport): string[] {
  return [
    `a=ice-ufrag:${ice.usernameFragment}`,
    `a=ice-pwd:${ice.password}`,
    ...fingerprints.map(({ algorithm, value }) => `a=fingerprint:${algorithm} ${value}`),
    `a=setup:${setup}`,
  ];
}

function candidateLines(candidates: readonly LocalCandidate[]): string[] {
  return [...candidates.map(candidate => `a=${formatCandidate(candidate)}`), 'a=end-of-candidates'];
}

/** Writes `candidate:…` (RFC 8839 section 5.1; passive TCP: RFC 6544). */
export function formatCandidate(candidate: LocalCandidate): string {
  const { foundation, priority, address, port, protocol, tcpType } = candidate;
  const type = protocol === 'tcp' ? ` tcptype ${tcpType ?? 'passive'}` : '';
  return `candidate:${foundation} 1 ${protocol} ${priority} ${address} ${port} typ host${type}`;
}

/** Answers a publisher's section with every offered codec that the engine receives. */
export function answerPublished({ section, rtpParameters }: PublishedSection): AnsweredSection {
  const { codecs, headerExtensions } = rtpParameters;
  const { rids } = section;
  return {
    section,
    direction: 'recvonly',
    codecs: codecs.map(wishedParameters),
    headerExtensions,
    ...(rids && { rids }),
  };
}

/**
 * Returns the offer's own parameters, so that the profile, stereo and FEC stay as offered. Drops parameters that only
 * describe the offerer's bitstream. Asks for stereo if the publisher can send stereo.
 */
function wishedParameters(codec: RtpCodec): RtpCodec {
  const { 'sprop-parameter-sets': _sets, ...parameters } = codec.parameters;
  const isStereo = codec.mimeType.toLowerCase() === 'audio/opus' && parameters['sprop-stereo'] === 1;
  return { ...codec, parameters: isStereo ? { ...parameters, stereo: 1 } : parameters };
}

/** Answers a viewer's section that receives a track. The formats are the offer's own entries. */
export function answerViewed({ section }: ViewedSection, sent: SentTrack, stream: string): AnsweredSection {
  const codecs = sent.rtpParameters.codecs.flatMap(codec => offeredEntry(section, codec) ?? []);
  const headerExtensions = sent.rtpParameters.headerExtensions.filter(({ id, uri }) =>
    section.headerExtensions.some(offered => offered.id === id && offered.uri === uri),
  );
  const ssrc = sentSsrc(section, sent);
  const msid = { stream, track: sent.trackID };
  return { section, direction: 'sendonly', codecs, headerExtensions, ...(ssrc && { ssrc }), msid };
}

/**
 * A publisher that reconnects is sent with a new SSRC. Chromium accepts a new SSRC only if the answer named none.
 * libdatachannel does not know the mid extension and accepts only the SSRC that the answer named.
 */
function sentSsrc(section: OfferedSection, { rtpParameters }: SentTrack): AnsweredSection['ssrc'] {
  const knowsMid = section.headerExtensions.some(({ uri }) => uri.endsWith(':sdes:mid'));
  const [encoding] = rtpParameters.encodings;
  if (knowsMid || encoding?.ssrc === undefined) return undefined;
  return { media: encoding.ssrc, rtx: encoding.rtx?.ssrc, cname: rtpParameters.rtcp.cname ?? 'rtms' };
}

/** The offered codec with the same payload type, and the feedback that both sides support. */
function offeredEntry(section: OfferedSection, sent: RtpCodec): RtpCodec | undefined {
  const offered = section.codecs.find(codec => codec.payloadType === sent.payloadType);
  if (!offered || isRtx(offered) !== isRtx(sent)) return undefined;
  const rtcpFeedback = offered.rtcpFeedback.filter(own =>
    sent.rtcpFeedback.some(theirs => isSameFeedback(own, theirs)),
  );
  return { ...offered, rtcpFeedback };
}

/** Answers a section without media. The grammar still requires one format. */
export function answerUnused(section: OfferedSection): AnsweredSection {
  const codecs = section.codecs.filter(codec => !isRtx(codec)).slice(0, 1);
  return { section, direction: 'inactive', codecs, headerExtensions: [] };
}

/** Whether the answer lists the codec, so that a track with it may replace the earlier track. */
export function isListed(answered: AnsweredSection, codec: RtpCodec): boolean {
  return answered.codecs.some(own => own.payloadType === codec.payloadType && isSameCodec(own, codec));
}
