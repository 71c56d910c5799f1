import type { MediaKind } from '@rtms/contracts';

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
