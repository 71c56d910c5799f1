import type { types } from 'mediasoup';
import { isRtx, receivedAs, sentAs } from '../match-codec.js';
import { receivableWith, type PayloadNumbers } from '../payload-numbers.js';
import type { ReceiverCapabilities, RtpCodec, RtpParameters } from '../rtp-parameters.js';

/** The router compares H264 strictly; it is told what its own entry says, since the worker forwards any profile alike. */
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

/** The codecs of an offer that can be received, in its order, RTX left out. */
export function receivableCodecs(parameters: RtpParameters): RtpCodec[] {
  return parameters.codecs.filter(codec => !isRtx(codec) && receivedAs(codec) !== undefined);
}

/** True when packets can be told apart: by the SSRC that the offer names, or by the mid that each carries. */
export function isDemultiplexable({ mid, headerExtensions, encodings }: RtpParameters): boolean {
  const byMid = mid !== undefined && headerExtensions.some(extension => extension.uri.endsWith(':sdes:mid'));
  return byMid || (encodings.length > 0 && encodings.every(encoding => encoding.ssrc !== undefined));
}

/** Encoders send the layers of VP8 simulcast with up to three frame rates each, those of other codecs with one. */
function scalabilityModeOf({ mimeType }: RtpCodec): string {
  return mimeType.toLowerCase() === 'video/vp8' ? 'L1T3' : 'L1T1';
}

/** What the producer of one codec of an offer is created with. */
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

/** What a viewer can be sent of a codec; undefined when it offers no such number and codec. */
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

/** Plain RTP for the transcoder: the codec alone, with keyframe requests, without retransmission. */
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
