import type { Readable } from 'node:stream';
import type { Closeable } from '@rtms/bus';
import type { RecordingStorage } from '@rtms/contracts';

/** Injects `RecordingStore`. */
export const RECORDING_STORE = Symbol('RecordingStore');

/** First and last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Keeps finished recordings, one file each. */
export interface RecordingStore extends Closeable {
  readonly storage: RecordingStorage;
  /** Takes the file at `path` over, which may be gone afterwards. A reader finds all of it or nothing. */
  put(recordingID: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Bytes; undefined: it is not here. */
  size(recordingID: string): Promise<number | undefined>;
  /** undefined: it is not here. Whoever reads destroys the stream when it is not read to its end. */
  read(recordingID: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deleting what is not here is done already. */
  delete(recordingID: string): Promise<void>;
}

/** Nothing else becomes a path or a key. */
export function isRecordingID(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
