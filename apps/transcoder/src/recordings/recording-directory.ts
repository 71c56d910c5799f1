import type { Stats } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndReason, RecordedFile, StartRecordingRequest } from '@rtms/contracts';
import type { PartShape } from './part-shape.js';

export interface RecordedPart {
  file: string;
  shape: PartShape;
}

/** What is known of a recording that is not in the store yet, or not reported. */
export interface RecordingNotes {
  request: Pick<StartRecordingRequest, 'recordingID' | 'meetingID'>;
  parts: RecordedPart[];
  /** Nothing is added any more; `until`: RFC 3339. */
  stopped?: { reason: EndReason; until: string };
  /** It is in the store. */
  file?: RecordedFile;
}

const notesFile = 'recording.json';

/** The working files of one recording; they outlive the process that writes them. */
export class RecordingDirectory {
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly path: string,
    readonly notes: RecordingNotes,
  ) {}

  static async create(parent: string, request: RecordingNotes['request']): Promise<RecordingDirectory> {
    const { recordingID, meetingID } = request;
    const directory = new RecordingDirectory(join(parent, recordingID), {
      request: { recordingID, meetingID },
      parts: [],
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
   * Opens everything that an earlier life left. Deletes a directory without notes: its recording never began. Keeps a
   * directory whose notes cannot be read, since it may have media, and passes it to `onUnreadable`.
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

  /** The file that the next part is written to; it stands in the notes before anything is in it. */
  async addPart(shape: PartShape): Promise<string> {
    const file = `part-${this.notes.parts.length}.mp4`;
    this.notes.parts.push({ file, shape });
    await this.save();
    return this.pathOf(file);
  }

  async note(change: Pick<RecordingNotes, 'stopped' | 'file'>): Promise<void> {
    Object.assign(this.notes, change);
    await this.save();
  }

  /** When something was written last. */
  async lastWrittenAt(): Promise<Date> {
    const files = await this.look([notesFile, ...this.partFiles]);
    return new Date(Math.max(0, ...files.map(({ mtimeMs }) => mtimeMs)));
  }

  /** Size of all parts. */
  async partBytes(): Promise<number> {
    const files = await this.look(this.partFiles);
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  private get partFiles(): string[] {
    return this.notes.parts.map(({ file }) => file);
  }

  /** A part of which nothing was written has no file. */
  private async look(files: readonly string[]): Promise<Stats[]> {
    const found = await Promise.all(files.map(file => stat(this.pathOf(file)).catch(() => undefined)));
    return found.filter(each => each !== undefined);
  }

  async remove(): Promise<void> {
    await this.writing.catch(() => undefined);
    await rm(this.path, { recursive: true, force: true });
  }

  /** Written aside and then renamed, so that a crash leaves the old notes or the new ones. */
  private save(): Promise<void> {
    const saving = this.writing
      .catch(() => undefined)
      .then(async () => {
        const aside = this.pathOf(`${notesFile}.new`);
        await writeFile(aside, JSON.stringify(this.notes));
        await rename(aside, this.pathOf(notesFile));
      });
    this.writing = saving;
    return saving;
  }
}
