import { existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '@rtms/node';
import type { EncoderListener } from '../encoder.js';
import { GrowingSegment } from './growing-segment.js';

/** Half an AAC frame is longer. */
const toleranceSeconds = 0.005;
const playlistSuffix = '.m3u8';
const segmentName = /^([A-Za-z0-9]+)-\d+\.m4s$/;

/** Deletes files that encoders of an earlier process left. */
export async function emptyDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
}

export interface WorkListener extends Pick<EncoderListener, 'onInit' | 'onPart' | 'onSegment'> {
  /** A listed segment cannot be read. Called once; no segment follows. */
  onUnreadable(error: unknown): void;
}

/** The working directory of one FFmpeg process. Reads and deletes each finished segment, in order. */
export class WorkDirectory {
  private readonly taken = new Map<string, number>();
  private readonly watcher: FSWatcher;
  private readonly scans = new SerialQueue();
  /** Renditions of the next scan. */
  private readonly pending = new Set<string>();
  /** Renditions whose next listed segment is being read, or is not whole yet. */
  private readonly unfinished = new Set<string>();
  /** By rendition, if the listener takes parts. */
  private readonly growing = new Map<string, GrowingSegment>();
  private isUnreadable = false;
  private closing: Promise<void> | undefined;

  private constructor(
    readonly path: string,
    private readonly renditionNames: readonly string[],
    private readonly listener: WorkListener,
  ) {
    // FFmpeg renames its playlist after each segment. The segment muxer does so before it writes the last bytes of the segment.
    this.watcher = watch(path, (_event, file) => {
      if (file?.endsWith(playlistSuffix)) this.scheduleScan([file.slice(0, -playlistSuffix.length)]);
      const written = segmentName.exec(file ?? '')?.[1];
      const isAwaited = written !== undefined && (this.unfinished.has(written) || this.listener.onPart !== undefined);
      if (isAwaited) this.scheduleScan([written]);
    });
    this.watcher.on('error', () => undefined);
  }

  static async open(parent: string, renditionNames: readonly string[], listener: WorkListener): Promise<WorkDirectory> {
    return new WorkDirectory(await mkdtemp(join(parent, 'encode-')), renditionNames, listener);
  }

  /** Reads all segments that are finished now. */
  scan(): Promise<void> {
    this.scheduleScan(this.renditionNames);
    return this.scans.idle();
  }

  close(): Promise<void> {
    this.closing ??= this.removeAll();
    return this.closing;
  }

  private async removeAll(): Promise<void> {
    this.watcher.close();
    await this.scans.idle();
    await rm(this.path, { recursive: true, force: true });
  }

  /** Combines events before the scan starts into one scan. */
  private scheduleScan(changed: readonly string[]): void {
    if (this.closing || this.isUnreadable) return;
    const isScheduled = this.pending.size > 0;
    for (const name of changed) if (this.renditionNames.includes(name)) this.pending.add(name);
    if (!isScheduled) void this.scans.run(() => this.scanPending().catch((error: unknown) => this.giveUp(error)));
  }

  private giveUp(error: unknown): void {
    if (this.isUnreadable) return;
    this.isUnreadable = true;
    this.listener.onUnreadable(error);
  }

  private async scanPending(): Promise<void> {
    const names = [...this.pending];
    this.pending.clear();
    if (this.isUnreadable) return;
    for (const name of names) await this.scanRendition(name);
  }

  private async scanRendition(name: string): Promise<void> {
    if (this.listener.onPart) await this.scanParts(name);
    const playlist = await readFile(join(this.path, `${name}${playlistSuffix}`), 'utf8').catch(() => '');
    for (const segment of parseEncoderPlaylist(playlist)) {
      if (segment.index < (this.taken.get(name) ?? 0) || this.closing) continue;
      // Before the read, so that no later write is missed.
      this.unfinished.add(name);
      if (!(await this.takeSegment(name, segment))) return;
      this.unfinished.delete(name);
    }
  }

  /** Returns whether the segment is whole. */
  private async takeSegment(name: string, { uri, index, durationSeconds }: ListedSegment): Promise<boolean> {
    const takesParts = this.listener.onPart !== undefined;
    if (takesParts && !(await this.hasAllParts(name, durationSeconds))) return false;
    // FFmpeg writes an index behind the last part of its last segment.
    const bytes = (await this.read(uri)).subarray(0, this.growing.get(name)?.length);
    if (!isWhole(bytes)) return false;
    if (!this.taken.has(name) && !takesParts) await this.takeInit(name);
    this.listener.onSegment(name, { bytes, durationSeconds });
    this.taken.set(name, index + 1);
    await this.remove(uri);
    this.growing.get(name)?.next();
    if (takesParts) await this.scanParts(name);
    return true;
  }

  private async takeInit(name: string): Promise<Buffer> {
    const init = await this.read(`${name}-init.mp4`);
    this.listener.onInit(name, init);
    await this.remove(`${name}-init.mp4`);
    return init;
  }

  /** Reports the parts of the segment that FFmpeg writes now. FFmpeg writes the init segment before the first segment. */
  private async scanParts(name: string): Promise<void> {
    const file = join(this.path, this.segmentOf(name, 0));
    if (!this.growing.has(name)) {
      if (!existsSync(file)) return;
      this.growing.set(name, new GrowingSegment(await this.takeInit(name)));
    }
    for (const part of (await this.growing.get(name)?.read(file)) ?? []) this.listener.onPart?.(name, part);
  }

  /** The boxes of a segment are whole after each of its parts, so its duration tells the last part, or the next segment does. */
  private async hasAllParts(name: string, durationSeconds: number): Promise<boolean> {
    const hasNext = existsSync(join(this.path, this.segmentOf(name, 1)));
    await this.scanParts(name);
    const seconds = this.growing.get(name)?.seconds ?? 0;
    return seconds > 0 && (hasNext || seconds > durationSeconds - toleranceSeconds);
  }

  private segmentOf(name: string, ahead: number): string {
    return `${name}-${(this.taken.get(name) ?? 0) + ahead}.m4s`;
  }

  private read(file: string): Promise<Buffer> {
    return readFile(join(this.path, file));
  }

  private remove(file: string): Promise<void> {
    return rm(join(this.path, file), { force: true });
  }
}

/** Whether the boxes of MP4 end with the bytes, and the last one has media. */
function isWhole(bytes: Buffer): boolean {
  let type = '';
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    // Longer boxes have other lengths. A segment is far smaller.
    if (length < 8) return false;
    type = bytes.toString('latin1', at + 4, at + 8);
    at += length;
  }
  return at === bytes.length && type === 'mdat';
}

interface ListedSegment {
  uri: string;
  /** From 0. */
  index: number;
  durationSeconds: number;
}

/** Parses FFmpeg's playlist. Files are named `<rendition>-<index>.m4s`. */
function parseEncoderPlaylist(playlist: string): ListedSegment[] {
  const segments: ListedSegment[] = [];
  let durationSeconds = 0;
  for (const line of playlist.split('\n')) {
    const duration = /^#EXTINF:([0-9.]+)/.exec(line);
    if (duration) durationSeconds = Number(duration[1]);
    const [, uri, index] = /^([A-Za-z0-9]+-(\d+)\.m4s)\s*$/.exec(line) ?? [];
    if (uri !== undefined) segments.push({ uri, index: Number(index), durationSeconds });
  }
  return segments;
}
