import type { types } from 'mediasoup';
import { opus, rtxPayloadTypeOf, sentVideoCodecs } from '../engine-codecs.js';
import type { NumberedCodec, PayloadNumbers } from '../payload-numbers.js';
import type { RtpCodec } from '../rtp-parameters.js';

/** The numbers that mediasoup gives to RTX, in its order; it takes the first that no codec has taken. */
const dynamicPayloadTypes = [...range(100, 127), ...range(96, 99)];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function toRouterCodec(codec: RtpCodec): types.RouterRtpCodecCapability {
  const { mimeType, payloadType, clockRate, channels, parameters } = codec;
  return {
    kind: mimeType.startsWith('audio/') ? 'audio' : 'video',
    mimeType,
    clockRate,
    ...(channels !== undefined && { channels }),
    parameters: { ...parameters },
    preferredPayloadType: payloadType,
  };
}

/** A codec that nobody offers; its only use is that it takes a number. */
function placeholder(payloadType: number): types.RouterRtpCodecCapability {
  return { kind: 'audio', mimeType: 'audio/CN', clockRate: 8000, preferredPayloadType: payloadType };
}

function rtxOrder({ rtxPayloadType = -1 }: NumberedCodec): number {
  return dynamicPayloadTypes.indexOf(rtxPayloadType);
}

/** The numbers of the room's own router. */
const ownNumbers: PayloadNumbers = [opus, ...sentVideoCodecs].map(codec => {
  const { payloadType } = codec;
  const rtxPayloadType = rtxPayloadTypeOf(payloadType);
  return { codec, payloadType, ...(rtxPayloadType !== undefined && { rtxPayloadType }) };
});

function isVideo({ codec }: NumberedCodec): boolean {
  return codec.mimeType.startsWith('video/');
}

/**
 * A router's codecs, so ordered and filled up with placeholders that RTX gets the numbers it shall have, which mediasoup
 * does not let choose. A video codec whose RTX number mediasoup never gives (AV1's 46), or that has none, comes first and
 * takes whichever number it gets; no viewer is told that one.
 */
export function routerMediaCodecs(numbers: PayloadNumbers = ownNumbers): types.RouterRtpCodecCapability[] {
  const free = new Set(dynamicPayloadTypes);
  const take = ({ codec, payloadType }: NumberedCodec): types.RouterRtpCodecCapability => {
    free.delete(payloadType);
    return toRouterCodec({ ...codec, payloadType });
  };
  const result = numbers.filter(entry => !isVideo(entry)).map(take);
  for (const entry of numbers.filter(isVideo).sort((a, b) => rtxOrder(a) - rtxOrder(b))) {
    const router = take(entry);
    const rtx = entry.rtxPayloadType ?? [...free][0];
    for (const number of [...free]) {
      if (number === rtx) break;
      result.push(placeholder(number));
      free.delete(number);
    }
    result.push(router);
    if (rtx !== undefined) free.delete(rtx);
  }
  return result;
}
