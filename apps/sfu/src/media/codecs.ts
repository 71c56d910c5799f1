import type {
  FeedTrack,
  PayloadProfile,
  PayloadProfileCodec,
  ReceiverCapabilities,
  RtpCodec,
  RtpHeaderExtension,
} from '@rtms/contracts';
import type { EngineCapabilities, PublishedTrack } from './media-engine.js';

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

/** RTX payload types (RFC 4588) of Chromium's default offer, by video payload type. mediasoup cannot use 46 of AV1: see `routerMediaCodecs`. */
const rtxPayloadTypes: Record<number, number> = { 96: 97, 98: 99, 102: 103, 108: 109, 116: 117 };

export const opus: RtpCodec = {
  mimeType: 'audio/opus',
  payloadType: 111,
  clockRate: 48000,
  channels: 2,
  parameters: { minptime: 10, useinbandfec: 1 },
  rtcpFeedback: [{ type: 'nack' }, { type: 'transport-cc' }],
};

/** The codecs for viewers, with the payload types of Chromium's default offer, so that such offers match. */
export const sentVideoCodecs: readonly RtpCodec[] = [
  video('video/VP8', 96),
  video('video/VP9', 98, { 'profile-id': 0 }),
  video('video/AV1', 45),
  h264(102, '42001f'),
  h264(108, '42e01f'),
  h264(116, '4d001f'),
];

/**
 * The engine also receives High and Constrained High. Chromium offers no payload type for them, but its decoder reads the
 * profile from the SPS. So these profiles are sent with the payload type of 42001f.
 */
const highProfileCodecs: readonly RtpCodec[] = [h264(102, '64001f'), h264(102, '640c1f')];

/** The media worker's own ids. The worker accepts no other ids and cannot translate them for a viewer. */
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

/** The codecs and header extensions that every engine receives, so that signalling is the same for all engines. */
export const engineCapabilities: EngineCapabilities = {
  codecs: { audio: [opus], video: [...sentVideoCodecs, ...highProfileCodecs] },
  headerExtensions,
};

/** The RTX payload type for a payload type; undefined if the codec is sent without RTX. */
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

/** The payload types of the `fixed` payload matching, one entry each. */
export const enginePayloadProfile: PayloadProfile = {
  codecs: [profileCodec('audio', opus), ...sentVideoCodecs.map(codec => profileCodec('video', codec))],
};

export function isRtx(codec: Pick<RtpCodec, 'mimeType'>): boolean {
  return codec.mimeType.toLowerCase().endsWith('/rtx');
}

type H264Profile = 'constrained_baseline' | 'baseline' | 'main' | 'constrained_high' | 'high';

/** H264 profiles by profile_idc and the relevant bits of profile_iop (RFC 6184 section 8.1). */
const h264Profiles: { idc: number; mask: number; bits: number; profile: H264Profile }[] = [
  { idc: 0x42, mask: 0x4f, bits: 0x40, profile: 'constrained_baseline' },
  { idc: 0x4d, mask: 0x8f, bits: 0x80, profile: 'constrained_baseline' },
  { idc: 0x58, mask: 0xcf, bits: 0xc0, profile: 'constrained_baseline' },
  { idc: 0x42, mask: 0x4f, bits: 0x00, profile: 'baseline' },
  { idc: 0x58, mask: 0xcf, bits: 0x80, profile: 'baseline' },
  { idc: 0x4d, mask: 0xaf, bits: 0x00, profile: 'main' },
  { idc: 0x64, mask: 0xff, bits: 0x0c, profile: 'constrained_high' },
  { idc: 0x64, mask: 0xff, bits: 0x00, profile: 'high' },
];

/** The profile of a `profile-level-id`. The default is Baseline at level 1 (RFC 6184). Undefined if the profile is unknown. */
export function h264ProfileOf(profileLevelID: string | number = '42000a'): H264Profile | undefined {
  const text = String(profileLevelID);
  if (!/^[0-9a-f]{6}$/i.test(text)) return undefined;
  const [idc, iop] = [parseInt(text.slice(0, 2), 16), parseInt(text.slice(2, 4), 16)];
  return h264Profiles.find(known => known.idc === idc && (iop & known.mask) === known.bits)?.profile;
}

/** The profiles that a receiver of each profile can decode (H.264 annex A). */
const decodable: Record<H264Profile, readonly H264Profile[]> = {
  constrained_baseline: ['constrained_baseline'],
  baseline: ['baseline', 'constrained_baseline'],
  main: ['main', 'constrained_baseline'],
  constrained_high: ['constrained_high', 'constrained_baseline'],
  high: ['high', 'constrained_high', 'main', 'constrained_baseline'],
};

/** Whether a receiver with one H264 entry can decode streams of the other entry. */
export function decodesProfile(receiver: RtpCodec, stream: RtpCodec): boolean {
  const own = h264ProfileOf(receiver.parameters['profile-level-id']);
  const found = h264ProfileOf(stream.parameters['profile-level-id']);
  return own !== undefined && found !== undefined && decodable[own].includes(found);
}

function sameParameters(a: RtpCodec, b: RtpCodec): boolean {
  switch (a.mimeType.toLowerCase()) {
    case 'video/h264':
      return h264ProfileOf(a.parameters['profile-level-id']) === h264ProfileOf(b.parameters['profile-level-id']);
    case 'video/vp9':
      return Number(a.parameters['profile-id'] ?? 0) === Number(b.parameters['profile-id'] ?? 0);
    case 'video/av1':
      return Number(a.parameters['profile'] ?? 0) === Number(b.parameters['profile'] ?? 0);
    default:
      return true;
  }
}

/** Whether both have the same codec and profile. Ignores payload types. */
export function isSameCodec(a: RtpCodec, b: RtpCodec): boolean {
  return (
    a.mimeType.toLowerCase() === b.mimeType.toLowerCase() &&
    a.clockRate === b.clockRate &&
    (a.channels ?? 1) === (b.channels ?? 1) &&
    sameParameters(a, b)
  );
}

/** The engine's entry for a publisher's codec; undefined if the engine cannot receive it. */
export function receivedAs(offered: RtpCodec): RtpCodec | undefined {
  const kind = offered.mimeType.toLowerCase().startsWith('audio/') ? 'audio' : 'video';
  return engineCapabilities.codecs[kind].find(known => isSameCodec(known, offered));
}

/** The engine's entry, with payload type, for sending a publisher's codec to viewers. */
export function sentAs(offered: RtpCodec): RtpCodec | undefined {
  const received = receivedAs(offered);
  const kind = received?.mimeType.startsWith('audio/') ? 'audio' : 'video';
  return received && engineCapabilities.codecs[kind].find(known => known.payloadType === received.payloadType);
}

/** The viewer's codecs for receiving `sent`: the media codec, then its RTX if the viewer has RTX. Empty if it has none. */
export function receivableBy(viewer: ReceiverCapabilities, sent: RtpCodec): RtpCodec[] {
  const media = viewer.codecs.find(codec => codec.payloadType === sent.payloadType && isSameCodec(codec, sent));
  if (!media) return [];
  const rtxNumber = rtxPayloadTypeOf(sent.payloadType);
  const rtx = viewer.codecs.find(
    codec => isRtx(codec) && codec.payloadType === rtxNumber && Number(codec.parameters['apt']) === sent.payloadType,
  );
  return rtx ? [media, rtx] : [media];
}

/** A track as a feed sends it, for the transcoder. */
export function describeFeedTrack(
  { trackID, kind, codec }: Pick<PublishedTrack, 'trackID' | 'kind' | 'codec'>,
  { payloadType, ssrc }: Pick<FeedTrack, 'payloadType' | 'ssrc'>,
): FeedTrack {
  const { clockRate, channels, parameters } = codec;
  const described = { trackID, kind, codec: codecNameOf(codec), payloadType, clockRate, ssrc, parameters };
  return { ...described, ...(channels !== undefined && { channels }) };
}

/** The codec's name as in `a=rtpmap`, e.g. `VP8`, `opus`. */
export function codecNameOf({ mimeType }: RtpCodec): string {
  return mimeType.slice(mimeType.indexOf('/') + 1);
}
