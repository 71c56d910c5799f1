import type { PayloadProfile, PayloadProfileCodec } from '@rtms/contracts';
import type { EngineCapabilities } from './media-engine.js';
import type { RtpCodec, RtpHeaderExtension } from './rtp-parameters.js';

const videoFeedback = [
  { type: 'nack' },
  { type: 'nack', parameter: 'pli' },
  { type: 'ccm', parameter: 'fir' },
  { type: 'goog-remb' },
  { type: 'transport-cc' },
];

function h264(payloadType: number, profileLevelID: string): RtpCodec {
  const parameters = {
    'level-asymmetry-allowed': 1,
    'packetization-mode': 1,
    'profile-level-id': profileLevelID,
  };
  return { mimeType: 'video/H264', payloadType, clockRate: 90000, parameters, rtcpFeedback: videoFeedback };
}

function video(mimeType: string, payloadType: number, parameters: RtpCodec['parameters'] = {}): RtpCodec {
  return { mimeType, payloadType, clockRate: 90000, parameters, rtcpFeedback: videoFeedback };
}

/** The number of RTX (RFC 4588) of each video codec in Chromium's default offer. AV1's 46 cannot be had: see routerMediaCodecs. */
const rtxPayloadTypes: Record<number, number> = { 96: 97, 98: 99, 102: 103, 108: 109, 116: 117 };

export const opus: RtpCodec = {
  mimeType: 'audio/opus',
  payloadType: 111,
  clockRate: 48000,
  channels: 2,
  parameters: { minptime: 10, useinbandfec: 1 },
  rtcpFeedback: [{ type: 'nack' }, { type: 'transport-cc' }],
};

/** What goes on the wire to viewers, by the numbers of Chromium's default offer; so its plain offers fit. */
export const sentVideoCodecs: readonly RtpCodec[] = [
  video('video/VP8', 96),
  video('video/VP9', 98, { 'profile-id': 0 }),
  video('video/AV1', 45),
  h264(102, '42001f'),
  h264(108, '42e01f'),
  h264(116, '4d001f'),
];

/**
 * High and Constrained High are received too. Chromium offers no number for them, but decodes them under its 42001f
 * number, since its decoder goes by the bitstream's SPS: so that is the number they are sent with.
 */
export const highProfileCodecs: readonly RtpCodec[] = [h264(102, '64001f'), h264(102, '640c1f')];

/** Ids are the media worker's own; it can neither be given others nor translate them for a viewer. */
const headerExtensions: { audio: RtpHeaderExtension[]; video: RtpHeaderExtension[] } = {
  audio: [
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1 },
    { uri: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time', id: 4 },
    { uri: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01', id: 5 },
    { uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level', id: 6 },
  ],
  video: [
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1 },
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id', id: 2 },
    { uri: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id', id: 3 },
    { uri: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time', id: 4 },
    { uri: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01', id: 5 },
    { uri: 'urn:3gpp:video-orientation', id: 8 },
    { uri: 'urn:ietf:params:rtp-hdrext:toffset', id: 9 },
  ],
};

/** What every engine receives; adapters share it so that signalling behaves alike on all of them. */
export const engineCapabilities: EngineCapabilities = {
  codecs: { audio: [opus], video: [...sentVideoCodecs, ...highProfileCodecs] },
  headerExtensions,
};

/** The RTX number that goes with a codec's number; undefined where the codec is sent without RTX. */
export function rtxPayloadTypeOf(payloadType: number): number | undefined {
  return rtxPayloadTypes[payloadType];
}

function profileCodec(kind: PayloadProfileCodec['kind'], codec: RtpCodec): PayloadProfileCodec {
  const { mimeType, payloadType, clockRate, channels, parameters } = codec;
  const rtxPayloadType = rtxPayloadTypeOf(payloadType);
  return {
    kind,
    mimeType,
    payloadType,
    clockRate,
    ...(channels !== undefined && { channels }),
    parameters,
    ...(rtxPayloadType !== undefined && { rtxPayloadType }),
  };
}

/** The numbers of the `fixed` payload matching, one entry a number. */
export const enginePayloadProfile: PayloadProfile = {
  codecs: [profileCodec('audio', opus), ...sentVideoCodecs.map(codec => profileCodec('video', codec))],
};
