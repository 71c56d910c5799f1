import { watch, type FSWatcher } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEncoderPlaylist } from './encoder-playlist.js';
import type { EncoderListener } from './encoder.js';

const playlistSuffix = '.m3u8';

/** What encoders of an earlier life left behind is of no use to anyone. */
export async function emptyDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

export interface WorkListener extends Pick<EncoderListener, 'onInit' | 'onSegment'> {
  /** FFmpeg listed a segment that cannot be read. Called once; nothing is taken out any more. */
  onUnreadable(error: unknown): void;
}

/** Where one FFmpeg writes; takes each finished segment out of it, in order. */
export class WorkDirectory {
  private readonly taken = new Map<string, number>();
  private readonly watcher: FSWatcher;
  private scanning: Promise<void> = Promise.resolve();
  /** Renditions that a scan which has not begun yet will look at. */
  private readonly pending = new Set<string>();
  private isUnreadable = false;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    private readonly renditionNames: readonly string[],
    private readonly listener: WorkListener,
  ) {
    // FFmpeg renames its playlist into place after each segment.
    this.watcher = watch(path, (_event, file) => {
      if (file?.endsWith(playlistSuffix)) this.scheduleScan([file.slice(0, -playlistSuffix.length)]);
    });
    this.watcher.on('error', () => undefined);
  }

  static async open(parent: string, renditionNames: readonly string[], listener: WorkListener): Promise<WorkDirectory> {
    return new WorkDirectory(await mkdtemp(join(parent, 'encode-')), renditionNames, listener);
  }

  /** Takes out what is finished by now. */
  scan(): Promise<void> {
    this.scheduleScan(this.renditionNames);
    return this.scanning;
  }

  close(): Promise<void> {
    this.closing ??= this.remove();
    return this.closing;
  }

  private async remove(): Promise<void> {
    this.watcher.close();
    await this.scanning;
    await rm(this.path, { recursive: true, force: true });
  }

  /** Several events of a rendition before the scan begins make one scan. */
  private scheduleScan(changed: readonly string[]): void {
    if (this.closing || this.isUnreadable) return;
    const isScheduled = this.pending.size > 0;
    for (const name of changed) if (this.renditionNames.includes(name)) this.pending.add(name);
    if (!isScheduled)
      this.scanning = this.scanning.then(() => this.scanPending()).catch((error: unknown) => this.giveUp(error));
  }

  private giveUp(error: unknown): void {
    if (this.isUnreadable) return;
    this.isUnreadable = true;
    this.listener.onUnreadable(error);
  }

  private async scanPending(): Promise<void> {
    const names = [...this.pending];
    this.pending.clear();
    for (const name of names) await this.scanRendition(name);
  }

  private async scanRendition(name: string): Promise<void> {
    const playlist = await readFile(join(this.path, `${name}${playlistSuffix}`), 'utf8').catch(() => '');
    for (const { uri, index, durationSeconds } of parseEncoderPlaylist(playlist)) {
      if (index < (this.taken.get(name) ?? 0) || this.closing) continue;
      if (!this.taken.has(name)) this.listener.onInit(name, await this.take(`${name}-init.mp4`));
      this.listener.onSegment(name, { bytes: await this.take(uri), durationSeconds });
      this.taken.set(name, index + 1);
    }
  }

  private async take(file: string): Promise<Buffer> {
    const path = join(this.path, file);
    const bytes = await readFile(path);
    await rm(path, { force: true });
    return bytes;
  }
}
