import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { isRecordingID, type ByteRange, type PutResult, type RecordingStore } from '../stores/recording-store.js';

/** Stores recordings in memory, for tests. */
export class MemoryRecordingStore implements RecordingStore {
  readonly bytesOnDisk = 0;
  private readonly files = new Map<string, Buffer>();

  constructor(readonly storage: 'node' | 'shared' = 'node') {}

  async put(recordingID: string, path: string): Promise<PutResult> {
    if (!isRecordingID(recordingID)) throw new Error(`not a recording's name: ${recordingID}`);
    const content = await readFile(path);
    if (this.files.has(recordingID)) return 'exists';
    this.files.set(recordingID, content);
    return 'stored';
  }

  size(recordingID: string): Promise<number | undefined> {
    return Promise.resolve(this.files.get(recordingID)?.length);
  }

  read(recordingID: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = this.files.get(recordingID);
    return Promise.resolve(file && Readable.from(range ? file.subarray(range.start, range.end + 1) : file));
  }

  async copyTo(recordingID: string, path: string): Promise<boolean> {
    const file = this.files.get(recordingID);
    if (file) await writeFile(path, file);
    return file !== undefined;
  }

  delete(recordingID: string): Promise<void> {
    this.files.delete(recordingID);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.files.clear();
    return Promise.resolve();
  }
}
