import type { Readable } from 'node:stream';
import type { Closeable } from '@rtms/bus';
import type { RecordingStorage } from '@rtms/contracts';

/** Injection token of `RecordingStore`. */
export const RECORDING_STORE = Symbol('RecordingStore');

/** First and last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** `exists`: there is a file already, and it stays. */
export type PutResult = 'stored' | 'exists';

/** Injection token of the `RecordingStore` of storyboards. */
export const STORYBOARD_STORE = Symbol('StoryboardStore');

/** Injection token of the `RecordingStore` of HLS presentations. */
export const HLS_STORE = Symbol('HlsStore');

/** Stores finished recordings, one file each. */
export interface RecordingStore extends Closeable {
  readonly storage: RecordingStorage;
  /** Bytes of finished recordings on the disk of this node. 0 for a shared store. */
  readonly bytesOnDisk: number;
  /**
   * Moves or copies the file at `path`. A reader finds the whole file or none. Never replaces a file: a node that was thought dead
   * may store the same recording. The reported checksum must stay true.
   */
  put(recordingID: string, path: string, signal?: AbortSignal): Promise<PutResult>;
  /** Returns the size in bytes; undefined if the file does not exist. */
  size(recordingID: string): Promise<number | undefined>;
  /** Returns undefined if the file does not exist. The caller must read the stream to its end or destroy it. */
  read(recordingID: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Writes the file to `path`, which takes no space of its own if the file is on the same disk. Returns false without a file. */
  copyTo(recordingID: string, path: string, signal?: AbortSignal): Promise<boolean>;
  /** Deleting a missing file succeeds. */
  delete(recordingID: string): Promise<void>;
}

/** Only these IDs become paths or object keys. */
export function isRecordingID(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
