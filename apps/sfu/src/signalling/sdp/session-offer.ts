import { type MediaKind, type RtpCodec, type RtpHeaderExtension, ServiceError } from '@rtms/contracts';
import type { Fingerprint } from '../../media/media-engine.js';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The DTLS role (RFC 8842). With `actpass` the answerer chooses. */
export type Setup = 'actpass' | 'active' | 'passive';

/** ICE credentials of a publisher or viewer. */
export interface RemoteIce {
  usernameFragment: string;
  password: string;
}

export interface OfferedExtension extends RtpHeaderExtension {
  /** As the offerer sees it (RFC 8285); undefined means both directions. */
  direction?: Direction;
}

/** One `m=` section of audio or video. */
export interface OfferedSection {
  kind: MediaKind;
  /** Empty if an offer with one section has no `a=mid`. */
  mid: string;
  protocol: string;
  direction: Direction;
  /** The formats with an `a=rtpmap`, including RTX, in the offer's order. */
  codecs: RtpCodec[];
  headerExtensions: OfferedExtension[];
  /** SSRC of the stream; undefined if packets carry the mid extension instead. */
  ssrc?: number;
  /** SSRC of the retransmissions (RFC 5576, group FID). */
  rtxSsrc?: number;
  /** RIDs of the simulcast layers (RFC 8853), in the offer's order; undefined without simulcast. */
  rids?: string[];
  cname?: string;
  /** The MediaStream of its track (RFC 8830). */
  stream?: string;
  reducedSizeRtcp: boolean;
  extmapAllowMixed: boolean;
}

/** The parts of an offer that publishing and playing need. All sections share one transport. */
export interface SessionOffer {
  ice: RemoteIce;
  fingerprints: Fingerprint[];
  setup: Setup;
  sections: OfferedSection[];
}

/** The body is not SDP. */
export function malformed(message: string): ServiceError {
  return new ServiceError('malformed_sdp', message);
}

/** The body is SDP, but the node cannot accept the whole offer. */
export function unacceptable(message: string): ServiceError {
  return new ServiceError('unacceptable_offer', message);
}
