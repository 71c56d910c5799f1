import type { types } from 'mediasoup';
import { opus, rtxPayloadTypeOf, sentVideoCodecs } from '../engine-codecs.js';
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

function rtxOrder(codec: RtpCodec): number {
  return dynamicPayloadTypes.indexOf(rtxPayloadTypeOf(codec.payloadType) ?? -1);
}

/**
 * The router's codecs, so ordered and filled up with placeholders that RTX gets the numbers of `rtxPayloadTypeOf`, which
 * mediasoup does not let choose. A codec whose RTX number mediasoup never gives (AV1's 46) comes first and takes
 * whichever number it gets; no viewer is told that one.
 */
export function routerMediaCodecs(): types.RouterRtpCodecCapability[] {
  const free = new Set(dynamicPayloadTypes);
  const result = [toRouterCodec(opus)];
  free.delete(opus.payloadType);
  for (const codec of [...sentVideoCodecs].sort((a, b) => rtxOrder(a) - rtxOrder(b))) {
    free.delete(codec.payloadType);
    const rtx = rtxPayloadTypeOf(codec.payloadType) ?? [...free][0];
    for (const number of [...free]) {
      if (number === rtx) break;
      result.push(placeholder(number));
      free.delete(number);
    }
    result.push(toRouterCodec(codec));
    if (rtx !== undefined) free.delete(rtx);
  }
  return result;
}
