import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isRecordingID, type ByteRange, type RecordingStore } from './recording-store.js';

const asideSuffix = '.new';

/** Stores recordings as files `<directory>/<recordingID>.mp4`. */
export class DiskRecordingStore implements RecordingStore {
  readonly storage = 'node';

  private constructor(private readonly directory: string) {}

  /** Deletes incomplete files of an earlier process. */
  static async open(directory: string): Promise<DiskRecordingStore> {
    await mkdir(directory, { recursive: true });
    const halves = (await readdir(directory)).filter(name => name.endsWith(asideSuffix));
    await Promise.all(halves.map(name => rm(join(directory, name), { force: true })));
    return new DiskRecordingStore(directory);
  }

  /**
   * Flushes the file to the disk before it renames it, so that a power cut leaves the whole file or none. Deletes the file at `path`
   * last, so that a failed `put` can be retried.
   */
  async put(recordingID: string, path: string, signal?: AbortSignal): Promise<void> {
    const target = this.pathOf(recordingID);
    if (target === undefined) throw new Error(`not a recording's name: ${recordingID}`);
    signal?.throwIfAborted();
    const aside = join(this.directory, `${randomUUID()}${asideSuffix}`);
    try {
      // Copy between file systems, and on file systems without hard links.
      await link(path, aside).catch(() => copyFile(path, aside));
      await flushToDisk(aside);
      await rename(aside, target);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await flushToDisk(this.directory);
    await rm(path, { force: true });
  }

  async size(recordingID: string): Promise<number | undefined> {
    const file = await this.openFile(recordingID);
    if (!file) return undefined;
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async read(recordingID: string, range?: ByteRange): Promise<Readable | undefined> {
    return (await this.openFile(recordingID))?.createReadStream(range);
  }

  async delete(recordingID: string): Promise<void> {
    const path = this.pathOf(recordingID);
    if (path !== undefined) await rm(path, { force: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private openFile(recordingID: string) {
    const path = this.pathOf(recordingID);
    return path === undefined ? undefined : open(path, constants.O_RDONLY).catch(ignoreMissing);
  }

  private pathOf(recordingID: string): string | undefined {
    return isRecordingID(recordingID) ? join(this.directory, `${recordingID}.mp4`) : undefined;
  }
}

async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
