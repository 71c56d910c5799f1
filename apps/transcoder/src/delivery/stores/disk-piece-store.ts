import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../disk.js';
import { NewestPieces, requirePieceName, type PieceStore, type StoredPiece } from './piece-store.js';
import { isRecordingID } from './recording-store.js';

/** Stores pieces as files `<directory>/<recordingID>/<name>` on a volume that all transcoders mount. */
export class DiskPieceStore implements PieceStore {
  constructor(private readonly directory: string) {}

  /** Names of incomplete pieces begin with a dot. */
  async put(recordingID: string, name: string, content: Buffer): Promise<void> {
    requirePieceName(recordingID, name);
    const folder = join(this.directory, recordingID);
    const aside = join(folder, `.${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(aside, content, { flush: true });
      await rename(aside, join(folder, name));
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  read(recordingID: string, name: string): Promise<Buffer | undefined> {
    requirePieceName(recordingID, name);
    return readFile(join(this.directory, recordingID, name)).catch(ignoreMissing);
  }

  async list(recordingID: string): Promise<StoredPiece[]> {
    const names = await this.namesIn(recordingID);
    const pieces = await Promise.all(names.map(async name => ({ name, ...(await this.look(recordingID, name)) })));
    return pieces.flatMap(({ name, size }) => (size === undefined ? [] : { name, size }));
  }

  async remove(recordingID: string, keep: readonly string[] = []): Promise<void> {
    if (!isRecordingID(recordingID)) return;
    const folder = join(this.directory, recordingID);
    const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
    const isKept = names.some(name => keep.includes(name));
    if (!isKept) return rm(folder, { recursive: true, force: true });
    for (const name of names) if (!keep.includes(name)) await rm(join(folder, name), { force: true });
  }

  async listUnchangedSince(before: Date, limit: number): Promise<string[]> {
    const newest = new NewestPieces();
    const folders = ((await readdir(this.directory).catch(ignoreMissing)) ?? []).filter(isRecordingID);
    for (const recordingID of folders) {
      // The folder itself changes with each new piece.
      const { changedMs } = await this.look(recordingID, '.');
      if (changedMs !== undefined) newest.add(recordingID, changedMs);
    }
    return newest.before(before, limit);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async namesIn(recordingID: string): Promise<string[]> {
    if (!isRecordingID(recordingID)) return [];
    const names = (await readdir(join(this.directory, recordingID)).catch(ignoreMissing)) ?? [];
    return names.filter(name => !name.startsWith('.')).sort();
  }

  private async look(recordingID: string, name: string): Promise<{ size?: number; changedMs?: number }> {
    const found = await stat(join(this.directory, recordingID, name)).catch(ignoreMissing);
    return found ? { size: found.size, changedMs: found.mtimeMs } : {};
  }
}
