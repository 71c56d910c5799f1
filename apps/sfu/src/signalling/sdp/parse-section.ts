import type { MediaKind, RtpCodec } from '@rtms/contracts';
import type { MediaDescription, SessionDescription } from 'sdp-transform';
import { type Direction, type OfferedExtension, type OfferedSection, unacceptable } from './session-offer.js';

/** Reads one `m=` section. Throws `unacceptable_offer` unless it is encrypted and multiplexed audio or video. */
export function parseSection(media: MediaDescription, session: SessionDescription): OfferedSection {
  const kind = readKind(media);
  checkTransport(media, kind);
  const [ssrc, rtxSsrc] = readSsrcs(media);
  const cname = media.ssrcs?.find(({ attribute }) => attribute === 'cname')?.value;
  const stream = readStream(media);
  return {
    kind,
    mid: String(media.mid ?? ''),
    protocol: media.protocol,
    direction: readDirection(media.direction ?? session.direction),
    codecs: readCodecs(media, kind),
    headerExtensions: readExtensions(media),
    ...(ssrc !== undefined && { ssrc }),
    ...(rtxSsrc !== undefined && { rtxSsrc }),
    ...readLayers(media),
    ...(cname !== undefined && { cname: String(cname) }),
    ...(stream !== undefined && { stream }),
    reducedSizeRtcp: media.rtcpRsize !== undefined,
    extmapAllowMixed: media.extmapAllowMixed !== undefined || session.extmapAllowMixed !== undefined,
  };
}

function readKind({ type }: MediaDescription): MediaKind {
  if (type === 'audio' || type === 'video') return type;
  throw unacceptable('Only audio and video sections are supported. Remove the data channel.');
}

/** Port 0 rejects a section, except with `bundle-only`, which requires port 0 (RFC 8843 section 6). */
function checkTransport(media: MediaDescription, kind: MediaKind): void {
  if (media.port === 0 && media.bundleOnly === undefined)
    throw unacceptable(`The ${kind} section has port 0, which rejects it. Use port 9.`);
  if (!/^(?:UDP|TCP)\/TLS\/RTP\/SAVPF?$/i.test(media.protocol))
    throw unacceptable(`The ${kind} section must use DTLS-SRTP (UDP/TLS/RTP/SAVPF).`);
  // The parser also accepts "rtcp-mux-only" (RFC 8858) here.
  if (media.rtcpMux === undefined) throw unacceptable(`The ${kind} section must offer "rtcp-mux".`);
}

function readDirection(direction: string | undefined): Direction {
  return direction === 'sendonly' || direction === 'recvonly' || direction === 'inactive' ? direction : 'sendrecv';
}

function readCodecs(media: MediaDescription, kind: MediaKind): RtpCodec[] {
  const byNumber = new Map<number, RtpCodec>();
  for (const { payload, codec, rate, encoding } of media.rtp) {
    if (!(payload >= 0 && payload <= 127) || rate === undefined) continue;
    byNumber.set(payload, {
      mimeType: `${kind}/${codec}`,
      payloadType: payload,
      clockRate: rate,
      ...(kind === 'audio' && { channels: Number(encoding ?? 1) }),
      parameters: {},
      rtcpFeedback: [],
    });
  }
  for (const { payload, config } of media.fmtp) {
    const codec = byNumber.get(payload);
    if (codec) Object.assign(codec.parameters, parseFmtp(String(config)));
  }
  addFeedback(media, byNumber);
  return inOrder(media, byNumber);
}

/**
 * Drops unsupported feedback, so that each codec has at most five entries. Some clients list the same feedback twice or
 * with a trailing blank.
 */
function addFeedback(media: MediaDescription, byNumber: Map<number, RtpCodec>): void {
  const ofNumber = new Map<string, Map<string, RtpCodec['rtcpFeedback'][number]>>();
  for (const { payload, type, subtype } of media.rtcpFb ?? []) {
    const parameter = String(subtype ?? '').trim();
    const feedback = parameter === '' ? { type } : { type, parameter };
    if (!isUnderstood(feedback)) continue;
    const number = String(payload);
    const known = ofNumber.get(number) ?? new Map<string, typeof feedback>();
    ofNumber.set(number, known.set(`${type} ${parameter}`, feedback));
  }
  for (const [number, codec] of byNumber) {
    const merged = new Map([...(ofNumber.get(String(number)) ?? []), ...(ofNumber.get('*') ?? [])]);
    codec.rtcpFeedback.push(...merged.values());
  }
}

/** The RTCP feedback that the engine supports. Clients offer more. */
const understood = new Set(['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc']);

/** Whether the media engine supports a feedback type. */
export function isUnderstood({ type, parameter }: RtpCodec['rtcpFeedback'][number]): boolean {
  return understood.has(parameter ? `${type} ${parameter}` : type);
}

export function isSameFeedback(a: RtpCodec['rtcpFeedback'][number], b: RtpCodec['rtcpFeedback'][number]): boolean {
  return a.type === b.type && (a.parameter ?? '') === (b.parameter ?? '');
}

/** Parameters whose six hexadecimal digits may look like a decimal number. */
const textual = new Set(['profile-level-id']);

/** Reads the parameters of an `a=fmtp` line. Skips parameters without a value. */
export function parseFmtp(config: string): RtpCodec['parameters'] {
  const parameters: RtpCodec['parameters'] = {};
  for (const item of config.split(';')) {
    const [name, value] = splitOnce(item.trim());
    if (!name || value === undefined) continue;
    parameters[name] = /^(?:0|[1-9]\d{0,8})$/.test(value) && !textual.has(name) ? Number(value) : value;
  }
  return parameters;
}

/** Writes the parameters of an `a=fmtp` line; empty without parameters. */
export function formatFmtp(parameters: RtpCodec['parameters']): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

/** Splits at the first `=`, because base64 values contain `=`. */
function splitOnce(item: string): [string, string | undefined] {
  const at = item.indexOf('=');
  return at < 0 ? [item, undefined] : [item.slice(0, at).trim().toLowerCase(), item.slice(at + 1).trim()];
}

/** Sorts the codecs by the `m=` line, which is the order of preference. */
function inOrder(media: MediaDescription, byNumber: Map<number, RtpCodec>): RtpCodec[] {
  const numbers = new Set(
    String(media.payloads ?? '')
      .split(' ')
      .map(Number),
  );
  return [...numbers].map(number => byNumber.get(number)).filter(codec => codec !== undefined);
}

function readExtensions(media: MediaDescription): OfferedExtension[] {
  return (media.ext ?? []).map(({ value, uri, direction }) => ({
    id: value,
    uri,
    ...(direction !== undefined && { direction: readDirection(direction) }),
  }));
}

/** Takes the first of alternatives (`a,b`) and also paused layers (`~a`), which may start later (RFC 8853 section 5.1). */
function readLayers({ simulcast, rids = [] }: MediaDescription): { rids?: string[] } {
  const directions = [
    { direction: simulcast?.dir1, list: simulcast?.list1 },
    { direction: simulcast?.dir2, list: simulcast?.list2 },
  ];
  const list = directions.find(({ direction }) => direction === 'send')?.list ?? '';
  const sent = new Set(rids.filter(({ direction }) => direction === 'send').map(({ id }) => String(id)));
  const first = String(list)
    .split(';')
    .map(alternatives => alternatives.split(',')[0]?.replace('~', '').trim() ?? '');
  const layers = [...new Set(first)].filter(rid => sent.has(rid));
  return layers.length > 0 ? { rids: layers } : {};
}

/** The id of the MediaStream; `-` means no stream (RFC 8830 section 2). */
function readStream({ msid }: MediaDescription): string | undefined {
  const stream = msid?.[0]?.id;
  return stream === '-' ? undefined : stream;
}

/** The SSRCs of the stream and of its retransmissions. */
function readSsrcs(media: MediaDescription): [number | undefined, number | undefined] {
  const group = media.ssrcGroups?.find(({ semantics }) => semantics === 'FID');
  if (group) {
    const [ssrc, rtxSsrc] = String(group.ssrcs).trim().split(/\s+/).map(Number);
    if (isSsrc(ssrc)) return [ssrc, isSsrc(rtxSsrc) ? rtxSsrc : undefined];
  }
  const first = media.ssrcs?.[0]?.id;
  return [isSsrc(first) ? first : undefined, undefined];
}

function isSsrc(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 0xffffffff;
}
