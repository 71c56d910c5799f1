import type { Closeable } from '@rtms/bus';
import { isRecordingID } from './recording-store.js';

export interface StoredPiece {
  name: string;
  size: number;
}

/** Stores pieces of unfinished recordings for all transcoders, so that another transcoder can complete a recording. */
export interface PieceStore extends Closeable {
  /** Stores a piece, or replaces it. A reader finds the old piece or the new one. */
  put(recordingID: string, name: string, content: Buffer): Promise<void>;
  /** Returns undefined if the piece does not exist. */
  read(recordingID: string, name: string): Promise<Buffer | undefined>;
  /** Returns the pieces of a recording in the order of their names. */
  list(recordingID: string): Promise<StoredPiece[]>;
  /** Deletes all pieces of a recording except those in `keep`. Deleting nothing succeeds. */
  remove(recordingID: string, keep?: readonly string[]): Promise<void>;
  /** Returns at most `limit` recordings whose newest piece is older than `before`. */
  listUnchangedSince(before: Date, limit: number): Promise<string[]>;
}

/** Throws unless both can be part of a path or of an object key. */
export function requirePieceName(recordingID: string, name: string): void {
  const isName = /^[a-z0-9][a-z0-9.-]{0,63}$/.test(name);
  if (!isRecordingID(recordingID) || !isName) throw new Error(`not a piece of a recording: ${recordingID}/${name}`);
}

/** Collects the time of the newest piece of each recording. */
export class NewestPieces {
  private readonly times = new Map<string, number>();

  add(recordingID: string, timeMs: number): void {
    this.times.set(recordingID, Math.max(timeMs, this.times.get(recordingID) ?? 0));
  }

  before(time: Date, limit: number): string[] {
    const old = [...this.times].filter(([, newest]) => newest < time.getTime());
    return old.map(([recordingID]) => recordingID).slice(0, limit);
  }
}
