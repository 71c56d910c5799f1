/** Purpose of a token. Each token is bound to one resource (`sub`) and one purpose. */
export type TokenPurpose = 'ingest' | 'playback' | 'hls' | 'join' | 'recording' | 'thumbnail';

interface BoundToken<Purpose extends TokenPurpose> {
  purpose: Purpose;
  /** The external session, playback, broadcast, participant or recording. */
  resourceID: string;
  meetingID: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

interface SignallingToken<Purpose extends TokenPurpose> extends BoundToken<Purpose> {
  /** Opaque name of the account. A node without the room shares its waiting places by it. Absent from tokens of earlier versions. */
  tenant?: string;
}

export interface IngestToken extends SignallingToken<'ingest'> {
  /** The publisher is an ingest node, which has found B-frames in the encoder's H264. Tokens of other publishers never have it. */
  hasBFrames?: boolean;
}

export type PlaybackToken = SignallingToken<'playback'>;

/** The multivariant playlist exchanges it for the signed path that it contains. */
export interface HlsToken extends BoundToken<'hls'> {
  path: SignedPath;
}

export const participantRoles = ['host', 'cohost', 'participant', 'viewer'] as const;
export type ParticipantRole = (typeof participantRoles)[number];

/** Opens the client SDK's socket for one participant. */
export interface JoinToken extends BoundToken<'join'> {
  role: ParticipantRole;
}

/** Opens the files of one recording. */
export interface RecordingToken extends BoundToken<'recording'> {
  /** The transcoder that made the file. */
  nodeID: string;
  /** SHA-256 of the file, hexadecimal. */
  checksumSha256: string;
  /** The HLS presentation alone. Absent: all files, as in tokens of earlier versions. */
  part?: 'hls';
}

/** Shows pictures of one external session. */
export type ThumbnailToken = BoundToken<'thumbnail'>;

export type MediaToken = IngestToken | PlaybackToken | HlsToken | JoinToken | RecordingToken | ThumbnailToken;

/**
 * `/hls/<broadcastID>/<window>/<expiresAt>/<kid>/<signature>/…`. All viewers of a broadcast share the path during a window, so that
 * a CDN keeps one copy of a segment.
 */
export interface SignedPath {
  broadcastID: string;
  /** Start of the signing window, seconds since 1970. */
  window: number;
  /** Seconds since 1970: the room's expiry. */
  expiresAt: number;
  kid: string;
  /** base64url of Ed25519 over `<broadcastID>/<window>/<expiresAt>`. */
  signature: string;
}
