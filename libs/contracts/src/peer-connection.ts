/** ICE candidate of a media node (RFC 8839); UDP or passive TCP, always `host`. */
export interface LocalCandidate {
  foundation: string;
  priority: number;
  address: string;
  port: number;
  protocol: 'udp' | 'tcp';
  tcpType?: 'passive';
}

/** A media node's side of ICE; it is ICE-lite. */
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

/** `client` sends the DTLS hello. */
export type DtlsRole = 'client' | 'server';

/** `connected`: ICE and DTLS stand. `lost`: the peer no longer answers; an ICE restart may bring it back. */
export type TransportState = 'new' | 'connected' | 'lost' | 'closed';
