import type { Closeable } from '@rtms/bus';

/** Injection token of `SegmentStore`. */
export const SEGMENT_STORE = Symbol('SegmentStore');

/**
 * Stores init and media segments. A name has parts of `A-Za-z0-9._-`, separated by `/` (e.g. `v1/1-3.m4s`). Each name is used for one
 * content only, so that caches may keep a copy for ever.
 */
export interface SegmentStore extends Closeable {
  /** Resolves once the content is readable. A reader never sees a part of it. */
  put(broadcastID: string, name: string, content: Buffer): Promise<void>;
  /** Returns undefined for an unknown name. Readers share the bytes and must not change them. */
  get(broadcastID: string, name: string): Promise<Buffer | undefined>;
  /** Like `get`, but returns undefined for content that is not in memory. */
  getFromMemory(broadcastID: string, name: string): Buffer | undefined;
  /** Deleting a missing segment succeeds. */
  delete(broadcastID: string, name: string): Promise<void>;
  /** Deletes all segments of a broadcast. */
  deleteAll(broadcastID: string): Promise<void>;
}
