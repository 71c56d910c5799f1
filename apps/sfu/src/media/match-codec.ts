import { engineCapabilities, rtxPayloadTypeOf } from './engine-codecs.js';
import type { ReceiverCapabilities, RtpCodec } from './rtp-parameters.js';

export function isRtx(codec: Pick<RtpCodec, 'mimeType'>): boolean {
  return codec.mimeType.toLowerCase().endsWith('/rtx');
}

export type H264Profile = 'constrained_baseline' | 'baseline' | 'main' | 'constrained_high' | 'high';

/** The profiles of RFC 6184 section 8.1 by profile_idc and the bits of profile_iop that tell them apart. */
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

/** Profile of a `profile-level-id`; without one, RFC 6184 says Baseline at level 1. Undefined when it is none of ours. */
export function h264ProfileOf(profileLevelID: string | number = '42000a'): H264Profile | undefined {
  const text = String(profileLevelID);
  if (!/^[0-9a-f]{6}$/i.test(text)) return undefined;
  const [idc, iop] = [parseInt(text.slice(0, 2), 16), parseInt(text.slice(2, 4), 16)];
  return h264Profiles.find(known => known.idc === idc && (iop & known.mask) === known.bits)?.profile;
}

/** Which bitstreams a receiver of each profile decodes (H.264 annex A). */
const decodable: Record<H264Profile, readonly H264Profile[]> = {
  constrained_baseline: ['constrained_baseline'],
  baseline: ['baseline', 'constrained_baseline'],
  main: ['main', 'constrained_baseline'],
  constrained_high: ['constrained_high', 'constrained_baseline'],
  high: ['high', 'constrained_high', 'main', 'constrained_baseline'],
};

/** True when a receiver of one H264 entry decodes the bitstreams of another. */
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

/** True when both are the same codec and profile, whatever their numbers. */
export function isSameCodec(a: RtpCodec, b: RtpCodec): boolean {
  return (
    a.mimeType.toLowerCase() === b.mimeType.toLowerCase() &&
    a.clockRate === b.clockRate &&
    (a.channels ?? 1) === (b.channels ?? 1) &&
    sameParameters(a, b)
  );
}

/** The engine's own entry for a codec that a publisher offers; undefined when it cannot be received. */
export function receivedAs(offered: RtpCodec): RtpCodec | undefined {
  const kind = offered.mimeType.toLowerCase().startsWith('audio/') ? 'audio' : 'video';
  return engineCapabilities.codecs[kind].find(known => isSameCodec(known, offered));
}

/** Number with which a publisher's codec is sent to viewers, and the entry that an answer must list for it. */
export function sentAs(offered: RtpCodec): RtpCodec | undefined {
  const received = receivedAs(offered);
  const kind = received?.mimeType.startsWith('audio/') ? 'audio' : 'video';
  return received && engineCapabilities.codecs[kind].find(known => known.payloadType === received.payloadType);
}

/** Of a viewer's codecs those under which it can be sent `sent`: the media codec, then its RTX when the viewer has that too. */
export function receivableBy(viewer: ReceiverCapabilities, sent: RtpCodec): RtpCodec[] {
  const media = viewer.codecs.find(codec => codec.payloadType === sent.payloadType && isSameCodec(codec, sent));
  if (!media) return [];
  const rtxNumber = rtxPayloadTypeOf(sent.payloadType);
  const rtx = viewer.codecs.find(
    codec => isRtx(codec) && codec.payloadType === rtxNumber && Number(codec.parameters['apt']) === sent.payloadType,
  );
  return rtx ? [media, rtx] : [media];
}
