import type { SegmentStore } from '../stores/segment-store.js';

/** Stores segments in memory, for tests. */
export class MemorySegmentStore implements SegmentStore {
  private readonly broadcasts = new Map<string, Map<string, Buffer>>();

  put(broadcastID: string, name: string, content: Buffer): Promise<void> {
    const files = this.broadcasts.get(broadcastID) ?? new Map<string, Buffer>();
    this.broadcasts.set(broadcastID, files.set(name, content));
    return Promise.resolve();
  }

  get(broadcastID: string, name: string): Promise<Buffer | undefined> {
    return Promise.resolve(this.broadcasts.get(broadcastID)?.get(name));
  }

  getFromMemory(broadcastID: string, name: string): Buffer | undefined {
    return this.broadcasts.get(broadcastID)?.get(name);
  }

  delete(broadcastID: string, name: string): Promise<void> {
    this.broadcasts.get(broadcastID)?.delete(name);
    return Promise.resolve();
  }

  deleteAll(broadcastID: string): Promise<void> {
    this.broadcasts.delete(broadcastID);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.broadcasts.clear();
    return Promise.resolve();
  }
}
