import type { NumberedCodec, PayloadNumbers, ReceiverCapabilities, RtpCodec } from '@rtms/contracts';
import { decodesProfile, isRtx, isSameCodec, receivableBy, rtxPayloadTypeOf, sentAs } from './codecs.js';

export type { NumberedCodec, PayloadNumbers };

/** 64 to 95 conflict with RTCP on the same port (RFC 5761 section 4). */
function isUsable(payloadType: number): boolean {
  return payloadType < 64 || payloadType > 95;
}

/** Media engines use only the dynamic payload types of RFC 3551 for retransmissions. */
function isUsableForRtx(payloadType: number): boolean {
  return payloadType >= 96 && payloadType <= 127;
}

/**
 * The viewer's entry for a codec: of the same profile, else of one that decodes it, else any of that codec, since what
 * decides is the parameter set in the bitstream. Streams are of packetization mode 1 (RFC 6184 section 6.3).
 */
function entryFor(viewer: ReceiverCapabilities, sent: RtpCodec): RtpCodec | undefined {
  const usable = viewer.codecs.filter(({ payloadType }) => isUsable(payloadType));
  if (sent.mimeType.toLowerCase() !== 'video/h264') return usable.find(codec => isSameCodec(codec, sent));
  const h264 = usable.filter(
    ({ mimeType, parameters }) => mimeType.toLowerCase() === 'video/h264' && parameters['packetization-mode'] === 1,
  );
  return h264.find(codec => isSameCodec(codec, sent)) ?? h264.find(codec => decodesProfile(codec, sent)) ?? h264[0];
}

/** The viewer's payload types for a publisher's codec; undefined if the viewer does not offer the codec. */
export function numbersFor(viewer: ReceiverCapabilities, offered: RtpCodec): NumberedCodec | undefined {
  const codec = sentAs(offered);
  const entry = codec && entryFor(viewer, codec);
  if (!entry) return undefined;
  const { payloadType } = entry;
  const rtx = viewer.codecs.find(other => isRtx(other) && Number(other.parameters['apt']) === payloadType);
  const isRtxSent = rtx !== undefined && isUsableForRtx(rtx.payloadType) && hasRtx(codec);
  return { codec, payloadType, ...(isRtxSent && { rtxPayloadType: rtx.payloadType }) };
}

function hasRtx(codec: RtpCodec): boolean {
  return codec.mimeType.startsWith('video/');
}

/** Whether the payload types are those that the room sends by default. */
export function areOwnNumbers(numbers: PayloadNumbers): boolean {
  return numbers.every(
    ({ codec, payloadType, rtxPayloadType }) =>
      payloadType === codec.payloadType && [undefined, rtxPayloadTypeOf(payloadType)].includes(rtxPayloadType),
  );
}

/** Whether each payload type is used once. */
export function areDistinct(numbers: PayloadNumbers): boolean {
  const all = numbers.flatMap(({ payloadType, rtxPayloadType }) => [payloadType, rtxPayloadType ?? []].flat());
  return new Set(all).size === all.length;
}

/** A key that is equal for viewers with the same payload types. */
export function numbersKey(numbers: PayloadNumbers): string {
  const parts = numbers.map(
    ({ codec, payloadType, rtxPayloadType }) =>
      `${codec.mimeType}@${codec.payloadType}=${payloadType}/${rtxPayloadType ?? ''}`,
  );
  return parts.sort().join(' ');
}

/** The entry for sending a publisher's codec: the viewer's own payload types if given, else ours. */
export function sentBy(numbers: PayloadNumbers | undefined, offered: RtpCodec): RtpCodec | undefined {
  const own = sentAs(offered);
  if (!own || !numbers) return own;
  const numbered = numbers.find(({ codec }) => codec.payloadType === own.payloadType && isSameCodec(codec, own));
  return numbered && { ...own, payloadType: numbered.payloadType };
}

/** The viewer's codecs for receiving a publisher's codec: the media codec, then its RTX. */
export function receivableWith(
  numbers: PayloadNumbers | undefined,
  viewer: ReceiverCapabilities,
  offered: RtpCodec,
): RtpCodec[] {
  const sent = sentBy(numbers, offered);
  if (!sent) return [];
  const numbered = numbers?.find(({ payloadType }) => payloadType === sent.payloadType);
  if (!numbered) return receivableBy(viewer, sent);
  const wanted = [numbered.payloadType, numbered.rtxPayloadType];
  return wanted.flatMap(number => viewer.codecs.find(({ payloadType }) => payloadType === number) ?? []);
}
