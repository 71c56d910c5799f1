import type { DtlsRole, Fingerprint, LocalCandidate, LocalIce } from '../media/media-engine.js';
import { isRtx } from '../media/match-codec.js';
import type { RtpCodec, RtpHeaderExtension } from '../media/rtp-parameters.js';
import { formatCandidate } from './candidate.js';
import { formatFmtp } from './fmtp.js';
import type { OfferedSection, Setup } from './session-offer.js';

/** What stands in the answer for one section of the offer; formats are the offer's own entries. */
export interface AnsweredSection {
  section: OfferedSection;
  direction: 'recvonly' | 'sendonly' | 'inactive';
  codecs: RtpCodec[];
  headerExtensions: RtpHeaderExtension[];
  /** Simulcast layers that are received. */
  rids?: string[];
  /** What is sent, for a client that cannot know it by the mid in each packet. */
  ssrc?: { media: number; rtx?: number | undefined; cname: string };
  /** Names stream and track to the player. */
  msid?: { stream: string; track: string };
}

export interface AnswerTransport {
  ice: LocalIce;
  fingerprints: Fingerprint[];
  setup: 'active' | 'passive';
}

/** Our side of `a=setup`: the client where the offer can only be the server, else the server (RFC 9725 section 4.4.1). */
export function answeredSetup(offered: Setup): 'active' | 'passive' {
  return offered === 'passive' ? 'active' : 'passive';
}

/** The DTLS role that an offer gets by our answer. */
export function remoteDtlsRole(offered: Setup): DtlsRole {
  return answeredSetup(offered) === 'active' ? 'server' : 'client';
}

/** Writes the answer (RFC 8866 lines, CRLF); every section of the offer has its place in it. */
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
      // All sections share the first one's candidates (RFC 8843 section 8.2).
      ...(index === 0 ? candidateLines(transport.ice.candidates) : []),
    ]),
  ];
  return lines.map(line => `${line}\r\n`).join('');
}

function sectionLines(answered: AnsweredSection): string[] {
  const { section, direction, codecs, headerExtensions, rids = [], ssrc, msid } = answered;
  // The grammar wants a format even where there is none to agree on.
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

/** A direction in the offer is answered by its mirror (RFC 8285 section 6). */
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
