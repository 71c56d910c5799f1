import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ignoreMissing } from '../../disk.js';
import type { SegmentStore } from './segment-store.js';

const partOfName = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * Stores segments as files `<directory>/<broadcastID>/<name>` and caches up to `cacheBytes` in memory, so that a live segment is
 * read from the disk at most once.
 */
export class DiskSegmentStore implements SegmentStore {
  private readonly cache: LRUCache<string, Buffer>;

  private constructor(
    private readonly directory: string,
    cacheBytes: number,
  ) {
    this.cache = new LRUCache<string, Buffer>({
      maxSize: cacheBytes,
      sizeCalculation: content => Math.max(1, content.length),
      fetchMethod: path => readFile(path).catch(ignoreMissing),
    });
  }

  /** Empties the directory, which the store owns. */
  static async open(directory: string, cacheBytes = 256 * 1024 * 1024): Promise<DiskSegmentStore> {
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    return new DiskSegmentStore(directory, cacheBytes);
  }

  /** Writes a temporary file and renames it, so that no reader finds an incomplete segment. */
  async put(broadcastID: string, name: string, content: Buffer): Promise<void> {
    const path = this.pathOf(broadcastID, name);
    if (path === undefined) throw new Error(`not a name for a segment: ${broadcastID}/${name}`);
    const aside = join(this.directory, `${randomUUID()}.part`);
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(aside, content);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    this.cache.set(path, content);
  }

  async get(broadcastID: string, name: string): Promise<Buffer | undefined> {
    const path = this.pathOf(broadcastID, name);
    return path === undefined ? undefined : this.cache.fetch(path);
  }

  getFromMemory(broadcastID: string, name: string): Buffer | undefined {
    const path = this.pathOf(broadcastID, name);
    return path === undefined ? undefined : this.cache.get(path);
  }

  async delete(broadcastID: string, name: string): Promise<void> {
    const path = this.pathOf(broadcastID, name);
    if (path === undefined) return;
    this.cache.delete(path);
    await rm(path, { force: true });
  }

  async deleteAll(broadcastID: string): Promise<void> {
    const path = this.pathOf(broadcastID);
    if (path === undefined) return;
    for (const key of this.cache.keys()) {
      if (key.startsWith(`${path}/`)) this.cache.delete(key);
    }
    await rm(path, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    this.cache.clear();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Returns undefined for a name that would leave the directory. */
  private pathOf(broadcastID: string, name?: string): string | undefined {
    const parts = [broadcastID, ...(name?.split('/') ?? [])];
    return parts.every(part => partOfName.test(part)) ? join(this.directory, ...parts) : undefined;
  }
}
