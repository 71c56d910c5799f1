import type { MediaKind } from './codecs.js';

/** ICE candidate of a media node (RFC 8839): UDP or passive TCP, always `host`. */
export interface LocalCandidate {
  foundation: string;
  priority: number;
  address: string;
  port: number;
  protocol: 'udp' | 'tcp';
  tcpType?: 'passive';
}

/** ICE parameters of a media node, which is ICE-lite. */
export interface LocalIce {
  usernameFragment: string;
  password: string;
  candidates: LocalCandidate[];
}

export interface Fingerprint {
  /** e.g. `sha-256` */
  algorithm: string;
  value: string;
}

/** `client` sends the DTLS ClientHello. */
export type DtlsRole = 'client' | 'server';

/** `connected`: ICE and DTLS are established. `lost`: the peer does not answer; an ICE restart may recover it. */
export type TransportState = 'new' | 'connected' | 'lost' | 'closed';

/** RTP parameters in the format of the W3C ORTC community group, which mediasoup uses. */
export interface RtpCodec {
  /** As in `a=rtpmap`, e.g. `video/H264`, `video/rtx`. */
  mimeType: string;
  payloadType: number;
  /** Hz. */
  clockRate: number;
  channels?: number;
  /** `a=fmtp` parameters. */
  parameters: Record<string, string | number>;
  rtcpFeedback: { type: string; parameter?: string }[];
}

export interface RtpHeaderExtension {
  uri: string;
  id: number;
}

export interface RtpEncoding {
  ssrc?: number;
  rid?: string;
  codecPayloadType?: number;
  rtx?: { ssrc: number };
}

export interface RtpParameters {
  mid?: string;
  codecs: RtpCodec[];
  headerExtensions: RtpHeaderExtension[];
  encodings: RtpEncoding[];
  rtcp: { cname?: string; reducedSize?: boolean };
}

/** Receive capabilities of one media section of a viewer's offer. */
export interface ReceiverCapabilities {
  kind: MediaKind;
  mid: string;
  codecs: RtpCodec[];
  headerExtensions: RtpHeaderExtension[];
}

/** A codec with the payload types for a viewer. */
export interface NumberedCodec {
  /** The codec of the media engine. */
  codec: RtpCodec;
  payloadType: number;
  /** Payload type of RTX; absent: no RTX for this viewer. */
  rtxPayloadType?: number;
}

/** Payload types of a viewer whose offer differs from the payload profile. At most one codec per kind. */
export type PayloadNumbers = readonly NumberedCodec[];
