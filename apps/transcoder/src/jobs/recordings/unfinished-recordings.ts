import { appendFile, open } from 'node:fs/promises';
import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import { ignoreMissing } from '../../disk.js';
import type { PieceStore, StoredPiece } from '../../delivery/stores/piece-store.js';
import { endOfFragmentsAfter } from './mp4-file.js';
import { RecordingDirectory, type RecordingNotes } from './recording-directory.js';

/** With a fragment of 1 s and the upload, a lost node loses about 5 s of a recording. */
const shipEveryMs = 3_000;
const mostPieceBytes = 8 * 1024 * 1024;
/** A recorder writes its last fragment within 3 s after the next part has begun. */
const idlePasses = 3;
const readsAtOnce = 4;

const manifestPrefix = 'manifest-';
/** Stays after the recording is complete: a former owner that returns later must not store its own file. */
const claimName = 'claim.json';

const sweepEveryMs = 3_600_000;
/** The gateway gives up a recording after 24 hours. */
const sweptAfterMs = 48 * 3_600_000;
const sweptAtOnce = 100;

export interface UnfinishedRecordingsParts {
  pieces: PieceStore;
  nodeID: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Unfinished recordings in the piece store. A recording has:
 * - manifests `manifest-<number>.json`: its notes. The last one counts.
 * - pieces `<part>.<offset>-<end>` of its parts.
 * - the claim of the node that completes it instead of its owner.
 *
 * No manifest and no piece gets a second content: a request that timed out may be applied late, and must not replace newer content.
 */
export class UnfinishedRecordings implements Closeable {
  private readonly timer: Timer;

  constructor(private readonly parts: UnfinishedRecordingsParts) {
    this.timer = parts.clock.every(sweepEveryMs, () => void this.sweep());
  }

  /** Ships the parts of a running recording until `close`. */
  ship(directory: RecordingDirectory): PieceShipper {
    return new PieceShipper(directory, this.parts);
  }

  /** Returns the bytes of all pieces; undefined if the store has no such recording. */
  async size(recordingID: string): Promise<number | undefined> {
    const pieces = await this.parts.pieces.list(recordingID);
    if (newestManifest(pieces) === undefined) return undefined;
    return pieces.reduce((sum, { size }) => sum + size, 0);
  }

  /** From now on only this node may store the file of the recording. */
  async claim(recordingID: string): Promise<void> {
    const { pieces, nodeID } = this.parts;
    await pieces.put(recordingID, claimName, Buffer.from(JSON.stringify({ nodeID })));
  }

  /** Whether another node completes the recording, or has completed it. */
  async isTaken(recordingID: string): Promise<boolean> {
    const claim = await this.parts.pieces.read(recordingID, claimName);
    return claim !== undefined && (JSON.parse(String(claim)) as { nodeID: string }).nodeID !== this.parts.nodeID;
  }

  /** Copies the pieces into a directory below `parent`. */
  async fetch(recordingID: string, parent: string, signal: AbortSignal): Promise<RecordingDirectory> {
    const listed = await this.parts.pieces.list(recordingID);
    const name = newestManifest(listed);
    const manifest = name === undefined ? undefined : await this.parts.pieces.read(recordingID, name);
    if (!manifest) throw new Error(`${recordingID} has no manifest`);
    const notes = JSON.parse(String(manifest)) as RecordingNotes;
    return RecordingDirectory.fill(parent, notes, async directory => {
      for (const { file } of notes.parts) {
        const names = contiguous(file, listed);
        for (let from = 0; from < names.length; from += readsAtOnce) {
          signal.throwIfAborted();
          const contents = await this.readAll(recordingID, names.slice(from, from + readsAtOnce));
          await appendFile(directory.pathOf(file), Buffer.concat(contents));
        }
      }
    });
  }

  /** Removes the pieces of a completed recording. Another node may still need the pieces that it claims. */
  async complete(recordingID: string): Promise<void> {
    if (!(await this.isTaken(recordingID))) await this.parts.pieces.remove(recordingID, [claimName]);
  }

  /** Removes everything of a deleted recording. */
  remove(recordingID: string): Promise<void> {
    return this.parts.pieces.remove(recordingID);
  }

  /** Removes what nodes left that died at a bad moment. Never rejects. */
  async sweep(): Promise<void> {
    const { pieces, clock, logger } = this.parts;
    try {
      const left = await pieces.listUnchangedSince(new Date(clock.now() - sweptAfterMs), sweptAtOnce);
      for (const recordingID of left) await pieces.remove(recordingID);
      if (left.length > 0) logger.info({ recordings: left.length }, 'removed old pieces of recordings');
    } catch (err) {
      logger.warn({ err }, 'cannot remove old pieces of recordings, trying again in an hour');
    }
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.parts.pieces.close();
  }

  private readAll(recordingID: string, names: readonly string[]): Promise<Buffer[]> {
    return Promise.all(
      names.map(async name => {
        const content = await this.parts.pieces.read(recordingID, name);
        if (!content) throw new Error(`${recordingID} has lost its piece ${name}`);
        return content;
      }),
    );
  }
}

/** Stores the new fragments of a recording's parts every few seconds. */
export class PieceShipper implements Closeable {
  /** By part. `complete` is an end of a fragment; the bytes before `shipped` are stored. */
  private readonly progress = new Map<string, { shipped: number; complete: number; idle: number }>();
  private readonly passes = new SerialQueue();
  private readonly timer: Timer;
  private manifest = '';
  private manifests = 0;
  private waiting = 0;
  private isFailing = false;

  constructor(
    private readonly directory: RecordingDirectory,
    private readonly parts: Omit<UnfinishedRecordingsParts, 'nodeID'>,
  ) {
    this.timer = parts.clock.every(shipEveryMs, () => {
      // A slow store gets the backlog in one later pass.
      if (this.waiting === 0) void this.flush();
    });
  }

  /** Stores all complete fragments. Never rejects: the next pass stores what the store did not take. */
  async flush(): Promise<void> {
    this.waiting += 1;
    try {
      await this.passes.run(() => this.pass());
      if (this.isFailing)
        this.parts.logger.info({ recordingID: this.directory.recordingID }, 'pieces are stored again');
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing)
        this.parts.logger.warn({ err, recordingID: this.directory.recordingID }, 'cannot store a piece of a recording');
      this.isFailing = true;
    } finally {
      this.waiting -= 1;
    }
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.passes.idle();
  }

  /** Stores the manifest first, because pieces without it are useless. */
  private async pass(): Promise<void> {
    const { notes, recordingID } = this.directory;
    const manifest = JSON.stringify(notes);
    if (manifest !== this.manifest) {
      const name = `${manifestPrefix}${String(this.manifests++).padStart(6, '0')}.json`;
      await this.parts.pieces.put(recordingID, name, Buffer.from(manifest));
    }
    this.manifest = manifest;
    const files = notes.parts.map(({ file }) => file);
    for (const file of files) await this.shipPart(file, file === files.at(-1));
  }

  private async shipPart(file: string, isLast: boolean): Promise<void> {
    const progress = this.progress.get(file) ?? { shipped: 0, complete: 0, idle: 0 };
    this.progress.set(file, progress);
    if (!isLast && progress.idle >= idlePasses) return;
    const handle = await open(this.directory.pathOf(file), 'r').catch(ignoreMissing);
    progress.idle += 1;
    if (!handle) return;
    try {
      progress.complete = await endOfFragmentsAfter(handle, progress.complete);
      while (progress.shipped < progress.complete) {
        const content = Buffer.alloc(Math.min(mostPieceBytes, progress.complete - progress.shipped));
        const { bytesRead } = await handle.read(content, 0, content.length, progress.shipped);
        if (bytesRead < content.length) throw new Error(`${file} has become shorter`);
        await this.parts.pieces.put(
          this.directory.recordingID,
          pieceName(file, progress.shipped, content.length),
          content,
        );
        progress.shipped += content.length;
        progress.idle = 0;
      }
    } finally {
      await handle.close();
    }
  }
}

const digits = 15;

/** Names of a part are in the order of their offsets. */
function pieceName(file: string, offset: number, length: number): string {
  const [from, end] = [offset, offset + length].map(number => String(number).padStart(digits, '0'));
  return `${file}.${from}-${end}`;
}

/** Returns the names of a part's pieces up to the first gap. Prefers the longest of the pieces with the same offset. */
function contiguous(file: string, listed: readonly StoredPiece[]): string[] {
  const ends = new Map<number, number>();
  for (const { name, size } of listed) {
    if (!name.startsWith(`${file}.`)) continue;
    const offset = Number(name.slice(file.length + 1, file.length + 1 + digits));
    ends.set(offset, Math.max(ends.get(offset) ?? 0, offset + size));
  }
  const names: string[] = [];
  for (let offset = 0; ;) {
    const end = ends.get(offset) ?? offset;
    if (end === offset) return names;
    names.push(pieceName(file, offset, end - offset));
    offset = end;
  }
}

/** The list is in the order of the names. */
function newestManifest(listed: readonly StoredPiece[]): string | undefined {
  return listed.findLast(({ name }) => name.startsWith(manifestPrefix))?.name;
}
