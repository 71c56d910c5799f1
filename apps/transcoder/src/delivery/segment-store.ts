import type { Closeable } from '@rtms/bus';

/** Nest token of the store that the service runs with. */
export const SEGMENT_STORE = Symbol('SegmentStore');

/**
 * Where init and media segments are kept. A name has one or more parts of `A-Za-z0-9._-`, separated by `/`
 * (e.g. `v1/1-3.m4s`), is given to one content only and never to another, so that a copy may be kept for ever.
 */
export interface SegmentStore extends Closeable {
  /** Resolves once the whole content can be read; until then nobody sees any of it. */
  put(broadcastID: string, name: string, content: Buffer): Promise<void>;
  /** undefined: there is none of that name. The bytes are shared between readers; nobody may write to them. */
  get(broadcastID: string, name: string): Promise<Buffer | undefined>;
  /** Deleting what is not there is done already. */
  delete(broadcastID: string, name: string): Promise<void>;
  /** Deletes all that a broadcast has put. */
  deleteAll(broadcastID: string): Promise<void>;
}
