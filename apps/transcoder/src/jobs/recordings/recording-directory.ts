import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndReason, RecordedFile, StartRecordingRequest } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import type { PartShape } from '../../rtp/part-shape.js';

export interface RecordedPart {
  file: string;
  shape: PartShape;
  /** Of a composed part that ended in time: media after it belongs to the next part. */
  seconds?: number;
  /** The time of the first picture, RFC 3339. */
  startedAt?: string;
}

/** State of a recording until its file is stored and reported. */
export interface RecordingNotes {
  request: Pick<StartRecordingRequest, 'recordingID' | 'meetingID' | 'addHLS' | 'accountID'>;
  parts: RecordedPart[];
  /** The parts are composed from files, and are incomplete until `stopped`. */
  isRendered?: true;
  /** The recording has stopped. `until` is the time of its last media, RFC 3339. */
  stopped?: { reason: EndReason; until: string };
  /** The stored file. */
  file?: RecordedFile;
}

const notesFile = 'recording.json';
/** The file of the joined parts. */
export const joinedFile = 'joined.mp4';
/** The media of its HLS presentation. */
export const hlsMediaFile = `${joinedFile}.hls.m4s`;

/** The working files of one recording. They survive a restart of the node. */
export class RecordingDirectory {
  private readonly writes = new SerialQueue();

  private constructor(
    readonly path: string,
    readonly notes: RecordingNotes,
  ) {}

  static async create(
    parent: string,
    request: RecordingNotes['request'],
    kind: Pick<RecordingNotes, 'isRendered'> = {},
  ): Promise<RecordingDirectory> {
    const { recordingID, meetingID, addHLS, accountID } = request;
    const directory = new RecordingDirectory(join(parent, recordingID), {
      request: { recordingID, meetingID, ...(addHLS && { addHLS }), ...(accountID !== undefined && { accountID }) },
      parts: [],
      ...kind,
    });
    try {
      await mkdir(directory.path, { recursive: true });
      await directory.save();
      return directory;
    } catch (error) {
      await directory.remove();
      throw error;
    }
  }

  /**
   * Creates the directory of a recording that another node left. `fill` writes the parts. The notes come last, so that the
   * next start deletes a half-filled directory.
   */
  static async fill(
    parent: string,
    notes: RecordingNotes,
    fill: (directory: RecordingDirectory) => Promise<void>,
  ): Promise<RecordingDirectory> {
    const directory = new RecordingDirectory(join(parent, notes.request.recordingID), notes);
    try {
      await rm(directory.path, { recursive: true, force: true });
      await mkdir(directory.path, { recursive: true });
      await fill(directory);
      await directory.save();
      return directory;
    } catch (error) {
      await directory.remove();
      throw error;
    }
  }

  /**
   * Opens all directories that an earlier process left. Deletes a directory without notes, because its recording never started. Keeps
   * a directory with unreadable notes, which may have media, and reports it to `onUnreadable`.
   */
  static async openAll(
    parent: string,
    onUnreadable: (path: string, error: unknown) => void,
  ): Promise<RecordingDirectory[]> {
    await mkdir(parent, { recursive: true });
    const opened: RecordingDirectory[] = [];
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      try {
        const notes = JSON.parse(await readFile(join(path, notesFile), 'utf8')) as RecordingNotes;
        opened.push(new RecordingDirectory(path, notes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') await rm(path, { recursive: true, force: true });
        else onUnreadable(path, error);
      }
    }
    return opened;
  }

  get recordingID(): string {
    return this.notes.request.recordingID;
  }

  pathOf(file: string): string {
    return join(this.path, file);
  }

  /** Returns the file for the next part. The notes list it before the part is written. */
  async addPart(shape: PartShape, startedAtMs?: number): Promise<string> {
    const file = `part-${this.notes.parts.length}.mp4`;
    const startedAt = startedAtMs === undefined ? {} : { startedAt: new Date(startedAtMs).toISOString() };
    this.notes.parts.push({ file, shape, ...startedAt });
    await this.save();
    return this.pathOf(file);
  }

  /** Notes the length of the part whose file `addPart` has returned. */
  async endPart(path: string, seconds: number): Promise<void> {
    const part = this.notes.parts.find(({ file }) => this.pathOf(file) === path);
    if (part) part.seconds = seconds;
    await this.save();
  }

  async note(change: Pick<RecordingNotes, 'stopped' | 'file'>): Promise<void> {
    Object.assign(this.notes, change);
    await this.save();
  }

  /** Returns the time of the last write. */
  async lastWrittenAt(): Promise<Date> {
    const files = await this.look([notesFile, ...this.partFiles]);
    return new Date(Math.max(0, ...files.map(({ mtimeMs }) => mtimeMs)));
  }

  /** Returns the bytes of the joined file and its HLS media, which may be incomplete. */
  async joinedBytes(): Promise<number> {
    const files = await this.look([joinedFile, hlsMediaFile]);
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the bytes of all parts. */
  async partBytes(): Promise<number> {
    const files = await this.look(this.partFiles);
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the bytes that all files take on the disk. A link to the file of another recording takes none. */
  async writtenBytes(): Promise<number> {
    const files = await this.look(await readdir(this.path).catch(() => []));
    return files.reduce((sum, { size, nlink }) => (nlink > 1 ? sum : sum + size), 0);
  }

  private get partFiles(): string[] {
    return this.notes.parts.map(({ file }) => file);
  }

  /** Skips parts without a file, to which nothing was written. */
  private async look(files: readonly string[]): Promise<Stats[]> {
    const found = await Promise.all(files.map(file => stat(this.pathOf(file)).catch(() => undefined)));
    return found.filter(each => each !== undefined);
  }

  remove(): Promise<void> {
    return this.writes.run(() => rm(this.path, { recursive: true, force: true }));
  }

  /** Writes a temporary file and renames it, so that a crash leaves the old notes or the new ones. */
  private save(): Promise<void> {
    return this.writes.run(async () => {
      const aside = this.pathOf(`${notesFile}.new`);
      await writeFile(aside, JSON.stringify(this.notes));
      await rename(aside, this.pathOf(notesFile));
    });
  }
}
