import type { SegmentStore } from '../stores/segment-store.js';

/** The files of one broadcast in a store. Names are `<rendition>/<file>`. */
export class PresentedFiles {
  private readonly writes = new Set<Promise<void>>();
  /** Listed files that the store does not have yet. */
  private readonly unwritten = new Map<string, Buffer>();

  constructor(
    private readonly store: SegmentStore,
    private readonly broadcastID: string,
  ) {}

  write(name: string, bytes: Buffer): Promise<void> {
    const written = this.store.put(this.broadcastID, name, bytes).finally(() => this.writes.delete(written));
    this.writes.add(written);
    return written;
  }

  /** Like `write`, but the file can be read at once. After a failure of the store, the memory keeps it until the end. */
  writeListed(name: string, bytes: Buffer): void {
    this.unwritten.set(name, bytes);
    void this.write(name, bytes).then(
      () => this.unwritten.delete(name),
      () => undefined,
    );
  }

  get(name: string): Promise<Buffer | undefined> {
    const known = this.unwritten.get(name);
    return known ? Promise.resolve(known) : this.store.get(this.broadcastID, name);
  }

  getFromMemory(name: string): Buffer | undefined {
    return this.unwritten.get(name) ?? this.store.getFromMemory(this.broadcastID, name);
  }

  async delete(names: readonly string[]): Promise<void> {
    await Promise.all(names.map(name => this.store.delete(this.broadcastID, name)));
  }

  /** Does not wait: no playlist has the file, and `deleteAll` deletes files that the store failed to delete. */
  discard(name: string): void {
    this.store.delete(this.broadcastID, name).catch(() => undefined);
  }

  /** Waits for writes in progress, so that they do not leave files behind. */
  async deleteAll(): Promise<void> {
    await Promise.allSettled(this.writes);
    this.unwritten.clear();
    await this.store.deleteAll(this.broadcastID);
  }
}
