import type { MediaKind } from './codecs.js';

/** RTP parameters in the shape of the W3C ORTC community group, which mediasoup took over. */
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

/** What one media section of a viewer's offer can receive. */
export interface ReceiverCapabilities {
  kind: MediaKind;
  mid: string;
  codecs: RtpCodec[];
  headerExtensions: RtpHeaderExtension[];
}

/** The numbers by which a viewer is sent a codec. */
export interface NumberedCodec {
  /** The engine's own entry. */
  codec: RtpCodec;
  payloadType: number;
  /** Of its retransmissions; without one the viewer is sent none in the RTX format. */
  rtxPayloadType?: number;
}

/** The numbers of a viewer whose offer has others than ours; at most one codec a kind. */
export type PayloadNumbers = readonly NumberedCodec[];
