import type { MediaKind } from '@rtms/contracts';
import type { Fingerprint } from '../media/media-engine.js';
import type { RtpCodec, RtpHeaderExtension } from '../media/rtp-parameters.js';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Who sends the DTLS hello (RFC 8842); `actpass` leaves it to the answerer. */
export type Setup = 'actpass' | 'active' | 'passive';

/** ICE credentials of a publisher or viewer. */
export interface RemoteIce {
  usernameFragment: string;
  password: string;
}

export interface OfferedExtension extends RtpHeaderExtension {
  /** From the offerer's side (RFC 8285); none means both. */
  direction?: Direction;
}

/** One `m=` section of audio or video. */
export interface OfferedSection {
  kind: MediaKind;
  /** Empty where an offer of a single section has no `a=mid`. */
  mid: string;
  protocol: string;
  direction: Direction;
  /** In the offer's order, RTX among them; only formats with an `a=rtpmap`. */
  codecs: RtpCodec[];
  headerExtensions: OfferedExtension[];
  /** Of the stream itself; undefined where packets name their section by the mid extension. */
  ssrc?: number;
  /** Of its retransmissions (RFC 5576 group FID). */
  rtxSsrc?: number;
  /** Simulcast layers that are sent (RFC 8853), in the offer's order; undefined without. */
  rids?: string[];
  cname?: string;
  /** The MediaStream of its track (RFC 8830). */
  stream?: string;
  reducedSizeRtcp: boolean;
  extmapAllowMixed: boolean;
}

/** What an offer says, as far as publishing and playing need it. All sections share one transport. */
export interface SessionOffer {
  ice: RemoteIce;
  fingerprints: Fingerprint[];
  setup: Setup;
  sections: OfferedSection[];
}
