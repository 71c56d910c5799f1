import type { MediaKind } from '@rtms/contracts';

export interface OfferedFormat {
  payloadType: number;
  /** As in `a=rtpmap`. */
  name: string;
  fmtp?: string;
  feedback?: string[];
  /** Number of its retransmissions. */
  rtx?: number;
}

export interface OfferSection {
  kind: MediaKind;
  mid: string;
  port?: number;
  attributes?: string[];
  extensions?: string[];
  formats: OfferedFormat[];
  ssrc?: number;
  rtxSsrc?: number;
}

export interface OfferOptions {
  direction: string;
  setup: string;
  sections: OfferSection[];
  sessionAttributes?: string[];
  ufrag?: string;
  /** The level at which the client writes its fingerprint. */
  fingerprintAt?: 'session' | 'section';
}

export const offeredUfrag = 'ufr4g';
export const offeredPassword = 'a-password-of-22-characters';
export const offeredFingerprint = Array(32).fill('0A').join(':');

/** Writes an offer with CRLF lines, as the given client would. */
export function buildOffer(options: OfferOptions): string {
  const { sections, sessionAttributes = [], fingerprintAt = 'section' } = options;
  const fingerprint = `a=fingerprint:sha-256 ${offeredFingerprint}`;
  const lines = [
    'v=0',
    'o=- 1 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    ...(fingerprintAt === 'session' ? [fingerprint] : []),
    `a=group:BUNDLE ${sections.map(({ mid }) => mid).join(' ')}`,
    ...sessionAttributes.map(attribute => `a=${attribute}`),
    ...sections.flatMap(section => [
      ...sectionLines(section, options),
      ...(fingerprintAt === 'section' ? [fingerprint] : []),
    ]),
  ];
  return lines.map(line => `${line}\r\n`).join('');
}

function sectionLines(section: OfferSection, { direction, setup, ufrag = offeredUfrag }: OfferOptions): string[] {
  const { kind, mid, port = 9, attributes = [], extensions = [], formats } = section;
  const numbers = formats.flatMap(({ payloadType, rtx }) => (rtx === undefined ? [payloadType] : [payloadType, rtx]));
  return [
    `m=${kind} ${port} UDP/TLS/RTP/SAVPF ${numbers.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${offeredPassword}`,
    `a=setup:${setup}`,
    `a=mid:${mid}`,
    ...extensions.map(extension => `a=extmap:${extension}`),
    `a=${direction}`,
    'a=rtcp-mux',
    ...attributes.map(attribute => `a=${attribute}`),
    ...formats.flatMap(formatLines),
    ...ssrcLines(section),
  ];
}

function formatLines({ payloadType, name, fmtp, feedback = [], rtx }: OfferedFormat): string[] {
  return [
    `a=rtpmap:${payloadType} ${name}`,
    ...feedback.map(item => `a=rtcp-fb:${payloadType} ${item}`),
    ...(fmtp === undefined ? [] : [`a=fmtp:${payloadType} ${fmtp}`]),
    ...(rtx === undefined ? [] : [`a=rtpmap:${rtx} rtx/90000`, `a=fmtp:${rtx} apt=${payloadType}`]),
  ];
}

function ssrcLines({ ssrc, rtxSsrc }: OfferSection): string[] {
  if (ssrc === undefined) return [];
  const group = rtxSsrc === undefined ? [] : [`a=ssrc-group:FID ${ssrc} ${rtxSsrc}`];
  const all = rtxSsrc === undefined ? [ssrc] : [ssrc, rtxSsrc];
  return [...group, ...all.map(id => `a=ssrc:${id} cname:client`)];
}
