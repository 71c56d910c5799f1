import { parseScalabilityMode, type types } from 'mediasoup';
import { isRtx, opus, receivedAs, rtxPayloadTypeOf, sentAs, sentVideoCodecs } from '../../codecs.js';
import { type NumberedCodec, type PayloadNumbers, receivableWith } from '../../payload-numbers.js';
import type { ReceiverCapabilities, RtpCodec, RtpParameters } from '@rtms/contracts';

/** Uses the router's own H264 parameters, because the router compares them strictly. The worker forwards any profile. */
function asRouterKnows(offered: RtpCodec): types.RtpCodecParameters {
  const { mimeType, payloadType, clockRate, channels, parameters, rtcpFeedback } = offered;
  const own = sentAs(offered)?.parameters;
  const strict = own?.['profile-level-id'] ? { ...own } : {};
  return {
    mimeType,
    payloadType,
    clockRate,
    ...(channels !== undefined && { channels }),
    parameters: { ...parameters, ...strict },
    rtcpFeedback: [...rtcpFeedback],
  };
}

/** The receivable codecs of an offer without RTX, in the offer's order. */
export function receivableCodecs(parameters: RtpParameters): RtpCodec[] {
  return parameters.codecs.filter(codec => !isRtx(codec) && receivedAs(codec) !== undefined);
}

/** Whether packets can be assigned to the track: by SSRC, or by the mid header extension. */
export function isDemultiplexable({ mid, headerExtensions, encodings }: RtpParameters): boolean {
  const byMid = mid !== undefined && headerExtensions.some(extension => extension.uri.endsWith(':sdes:mid'));
  return byMid || (encodings.length > 0 && encodings.every(encoding => encoding.ssrc !== undefined));
}

/** Encoders send VP8 simulcast layers with up to three temporal layers, and other codecs with one. */
function scalabilityModeOf({ mimeType }: RtpCodec): string {
  return mimeType.toLowerCase() === 'video/vp8' ? 'L1T3' : 'L1T1';
}

/** The producer parameters for one codec of an offer. */
export function toProducerParameters(offer: RtpParameters, codec: RtpCodec): types.RtpParameters {
  const rtx = offer.codecs.find(
    candidate => isRtx(candidate) && Number(candidate.parameters['apt']) === codec.payloadType,
  );
  const codecs = [asRouterKnows(codec)];
  if (rtx) codecs.push({ ...rtx, parameters: { apt: codec.payloadType }, rtcpFeedback: [] });
  return {
    ...(offer.mid !== undefined && { mid: offer.mid }),
    codecs,
    headerExtensions: offer.headerExtensions.map(({ uri, id }) => ({ uri: uri as types.RtpHeaderExtensionUri, id })),
    encodings: offer.encodings.map(({ ssrc, rid, rtx: retransmission }) => ({
      ...(ssrc !== undefined && { ssrc }),
      ...(rid !== undefined && { rid, scalabilityMode: scalabilityModeOf(codec) }),
      ...(rtx && retransmission && { rtx: { ssrc: retransmission.ssrc } }),
    })),
    rtcp: { ...offer.rtcp },
  };
}

function toCapability(codec: RtpCodec): types.RtpCodecCapability {
  const apt = codec.parameters['apt'];
  return {
    kind: codec.mimeType.startsWith('audio/') ? 'audio' : 'video',
    mimeType: codec.mimeType,
    preferredPayloadType: codec.payloadType,
    clockRate: codec.clockRate,
    ...(codec.channels !== undefined && { channels: codec.channels }),
    parameters: { ...codec.parameters, ...(apt !== undefined && { apt: Number(apt) }) },
    rtcpFeedback: [...codec.rtcpFeedback],
  };
}

/** The capabilities of a viewer for a codec; undefined if the viewer does not offer this codec and payload type. */
export function toViewerCapabilities(
  viewer: ReceiverCapabilities,
  codec: RtpCodec,
  numbers?: PayloadNumbers,
): types.RtpCapabilities | undefined {
  const sent = sentAs(codec);
  const codecs = receivableWith(numbers, viewer, codec);
  if (!sent || codecs.length === 0) return undefined;
  const strict = sent.parameters['profile-level-id'] ? sent.parameters : {};
  return {
    codecs: codecs
      .map(toCapability)
      .map(entry => (isRtx(entry) ? entry : { ...entry, parameters: { ...entry.parameters, ...strict } })),
    headerExtensions: viewer.headerExtensions.map(({ uri, id }) => ({
      kind: viewer.kind,
      uri: uri as types.RtpHeaderExtensionUri,
      preferredId: id,
    })),
  };
}

/** The capabilities for plain RTP: one codec with keyframe requests, without retransmission. */
export function toFeedCapabilities(codec: RtpCodec): types.RtpCapabilities {
  const sent = sentAs(codec) ?? codec;
  const rtcpFeedback = sent.rtcpFeedback.filter(({ parameter }) => parameter === 'pli' || parameter === 'fir');
  return { codecs: [toCapability({ ...sent, rtcpFeedback })], headerExtensions: [] };
}

/** The parameters of a consumer in the port's shape. */
export function fromConsumerParameters({
  mid,
  codecs,
  headerExtensions,
  encodings,
  rtcp,
}: types.RtpParameters): RtpParameters {
  return {
    ...(mid !== undefined && { mid }),
    codecs: codecs.map(codec => ({
      mimeType: codec.mimeType,
      payloadType: codec.payloadType,
      clockRate: codec.clockRate,
      ...(codec.channels !== undefined && { channels: codec.channels }),
      parameters: (codec.parameters ?? {}) as RtpCodec['parameters'],
      rtcpFeedback: (codec.rtcpFeedback ?? []).map(({ type, parameter }) =>
        parameter ? { type, parameter } : { type },
      ),
    })),
    headerExtensions: (headerExtensions ?? []).map(({ uri, id }) => ({ uri, id })),
    encodings: (encodings ?? []).map(({ ssrc, rtx }) => ({ ...(ssrc !== undefined && { ssrc }), ...(rtx && { rtx }) })),
    rtcp: { ...(rtcp?.cname !== undefined && { cname: rtcp.cname }), reducedSize: rtcp?.reducedSize ?? true },
  };
}

/** The scalability mode of a simulcast consumer counts the layers of all encodings. */
export function layersOfConsumer({ rtpParameters }: types.Consumer): { spatial: number; temporal: number } {
  const { spatialLayers, temporalLayers } = parseScalabilityMode(rtpParameters.encodings?.[0]?.scalabilityMode);
  return { spatial: spatialLayers, temporal: temporalLayers };
}

/** The payload types that mediasoup gives to RTX, in its order. It takes the first free one. */
const dynamicPayloadTypes = [...range(100, 127), ...range(96, 99)];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function toRouterCodec(codec: RtpCodec): types.RouterRtpCodecCapability {
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

/** A codec that nobody offers, only to occupy a payload type. */
function placeholder(payloadType: number): types.RouterRtpCodecCapability {
  return { kind: 'audio', mimeType: 'audio/CN', clockRate: 8000, preferredPayloadType: payloadType };
}

function rtxOrder({ rtxPayloadType = -1 }: NumberedCodec): number {
  return dynamicPayloadTypes.indexOf(rtxPayloadType);
}

/** The payload types of the room's own router. */
const ownNumbers: PayloadNumbers = [opus, ...sentVideoCodecs].map(codec => {
  const { payloadType } = codec;
  const rtxPayloadType = rtxPayloadTypeOf(payloadType);
  return { codec, payloadType, ...(rtxPayloadType !== undefined && { rtxPayloadType }) };
});

function isVideo({ codec }: NumberedCodec): boolean {
  return codec.mimeType.startsWith('video/');
}

/**
 * Returns a router's codecs. mediasoup chooses the RTX payload types itself, so the order and the placeholders force the
 * wanted ones. A video codec without RTX, or with one that mediasoup never uses (46 of AV1), comes first and gets any RTX
 * payload type. No answer lists that payload type.
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
