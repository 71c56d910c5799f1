/** What the control of external media can be tuned by; times in milliseconds unless the name says otherwise. */
export interface MediaSettings {
  /** How long a lost publisher or viewer may come back. */
  graceMs: number;
  /** Lifetime of ingest, playback and HLS entry tokens. */
  tokenTtlSeconds: number;
  /** 32 bytes; keys for encryption at rest are derived from it. */
  secretKey: Buffer;
  /** How long a media node counts as alive after its last announcement. */
  leaseTtlMs: number;
  /** How long a worker has for a command. */
  commandDeadlineMs: number;
  /** Pause between two comparisons of the database with what the workers hold. */
  reconcileIntervalMs: number;
  /** Pause between two looks for grace times and rooms that are over. */
  sweepIntervalMs: number;
}

/** Injects `MediaSettings`. */
export const MEDIA_SETTINGS = Symbol('MediaSettings');
