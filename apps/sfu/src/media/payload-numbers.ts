import type { NumberedCodec, PayloadNumbers } from '@rtms/contracts';
import { rtxPayloadTypeOf } from './engine-codecs.js';
import { decodesProfile, isRtx, isSameCodec, receivableBy, sentAs } from './match-codec.js';
import type { ReceiverCapabilities, RtpCodec } from './rtp-parameters.js';

export type { NumberedCodec, PayloadNumbers };

/** With RTCP on the same port, 64 to 95 would be taken for it (RFC 5761 section 4). */
function isUsable(payloadType: number): boolean {
  return payloadType < 64 || payloadType > 95;
}

/** Media engines give retransmissions only the dynamic numbers of RFC 3551. */
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

/** The numbers by which a viewer would be sent a publisher's codec; undefined when it has no entry for it. */
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

/** True where they are what the room sends by itself. */
export function areOwnNumbers(numbers: PayloadNumbers): boolean {
  return numbers.every(
    ({ codec, payloadType, rtxPayloadType }) =>
      payloadType === codec.payloadType && [undefined, rtxPayloadTypeOf(payloadType)].includes(rtxPayloadType),
  );
}

/** True where no number stands for two things. */
export function areDistinct(numbers: PayloadNumbers): boolean {
  const all = numbers.flatMap(({ payloadType, rtxPayloadType }) => [payloadType, rtxPayloadType ?? []].flat());
  return new Set(all).size === all.length;
}

/** Equal for viewers with the same numbers. */
export function numbersKey(numbers: PayloadNumbers): string {
  const parts = numbers.map(
    ({ codec, payloadType, rtxPayloadType }) =>
      `${codec.mimeType}@${codec.payloadType}=${payloadType}/${rtxPayloadType ?? ''}`,
  );
  return parts.sort().join(' ');
}

/** The entry by which a viewer is sent a publisher's codec: by its own numbers if it has some, else by ours. */
export function sentBy(numbers: PayloadNumbers | undefined, offered: RtpCodec): RtpCodec | undefined {
  const own = sentAs(offered);
  if (!own || !numbers) return own;
  const numbered = numbers.find(({ codec }) => codec.payloadType === own.payloadType && isSameCodec(codec, own));
  return numbered && { ...own, payloadType: numbered.payloadType };
}

/** Of a viewer's codecs those under which it can be sent a publisher's: the media codec, then its RTX. */
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
