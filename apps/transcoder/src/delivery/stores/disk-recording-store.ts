import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock, type Clock } from '@rtms/clock';
import type { RecordingStorage } from '@rtms/contracts';
import { ignoreMissing } from '../../disk.js';
import { isRecordingID, type ByteRange, type PutResult, type RecordingStore } from './recording-store.js';

const asideSuffix = '.new';
/** No node copies a file for longer. */
const longestCopyMs = 24 * 3_600_000;

/**
 * Stores recordings as files `<directory>/<recordingID>.mp4`, on the node's disk or on a volume that all transcoders mount. Another
 * extension: another kind of file, one for each recording.
 */
export class DiskRecordingStore implements RecordingStore {
  private bytes = 0;

  private constructor(
    private readonly directory: string,
    readonly storage: RecordingStorage,
    private readonly clock: Clock,
    private readonly extension: string,
  ) {}

  /** Deletes incomplete files of an earlier process; on a shared volume those that no process still writes. */
  static async open(
    directory: string,
    storage: RecordingStorage = 'node',
    clock: Clock = systemClock,
    extension = 'mp4',
  ): Promise<DiskRecordingStore> {
    await mkdir(directory, { recursive: true });
    const store = new DiskRecordingStore(directory, storage, clock, extension);
    for (const name of await readdir(directory)) await store.lookAtStart(join(directory, name));
    return store;
  }

  get bytesOnDisk(): number {
    return this.storage === 'node' ? this.bytes : 0;
  }

  /**
   * Flushes the file to the disk before it gets its name, so that a power cut leaves the whole file or none. Deletes the file at `path`
   * last, so that a failed `put` can be retried. The name is a hard link, because a link never replaces a file, also on NFS.
   */
  async put(recordingID: string, path: string, signal?: AbortSignal): Promise<PutResult> {
    const target = this.pathOf(recordingID);
    if (target === undefined) throw new Error(`not a recording's name: ${recordingID}`);
    signal?.throwIfAborted();
    const aside = join(this.directory, `${randomUUID()}${asideSuffix}`);
    try {
      // Copy between file systems, and on file systems without hard links.
      await link(path, aside).catch(() => copyFile(path, aside));
      await flushToDisk(aside);
      const { size } = await stat(aside);
      if (!(await giveName(aside, target))) return 'exists';
      this.bytes += size;
    } finally {
      await rm(aside, { force: true });
    }
    await flushToDisk(this.directory);
    await rm(path, { force: true });
    return 'stored';
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

  async copyTo(recordingID: string, path: string, signal?: AbortSignal): Promise<boolean> {
    const source = this.pathOf(recordingID);
    if (source === undefined) return false;
    await rm(path, { force: true });
    const isLinked = await link(source, path).then(
      () => true,
      () => false,
    );
    if (isLinked) return true;
    const stream = await this.read(recordingID);
    if (stream) await pipeline(stream, createWriteStream(path), { ...(signal && { signal }) });
    return stream !== undefined;
  }

  async delete(recordingID: string): Promise<void> {
    const path = this.pathOf(recordingID);
    if (path === undefined) return;
    const formerSize = await this.size(recordingID);
    await rm(path, { force: true });
    this.bytes -= formerSize ?? 0;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async lookAtStart(path: string): Promise<void> {
    const found = await stat(path).catch(ignoreMissing);
    if (!found) return;
    if (!path.endsWith(asideSuffix)) this.bytes += found.size;
    else if (this.storage === 'node' || this.clock.now() - found.mtimeMs > longestCopyMs)
      await rm(path, { force: true });
  }

  private openFile(recordingID: string) {
    const path = this.pathOf(recordingID);
    return path === undefined ? undefined : open(path, constants.O_RDONLY).catch(ignoreMissing);
  }

  private pathOf(recordingID: string): string | undefined {
    return isRecordingID(recordingID) ? join(this.directory, `${recordingID}.${this.extension}`) : undefined;
  }
}

/** Returns false if the name is taken. */
async function giveName(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    if (!isCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    // A file system without hard links.
    if (await stat(name).catch(ignoreMissing)) return false;
    await rename(path, name);
    return true;
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String((error as NodeJS.ErrnoException).code));
}

async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
