import { ServiceError } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { leastFreeBytes, noSpaceError } from '../../disk.js';
import type { RecordingDirectory } from './recording-directory.js';

/** 50 s of a 1080p recording (2.6 Mbit/s): the newest recording ends this early for each running one. */
export const roomPerRecording = 16 * 1024 * 1024;

export interface RecordingSpace {
  /** Bytes that all recordings on the node's disk may use. */
  maxBytes: number;
  /** Free bytes of the disk. */
  free: number;
  /** Bytes of finished recordings. */
  finished: number;
  /** Bytes of each unfinished recording. */
  unfinished: readonly number[];
  /** Bytes of each recording of another node that is being fetched. */
  fetched: readonly number[];
  /** Bytes of the unfinished recordings that are being joined. */
  joining: number;
  /** Bytes that are on the disk already, of joined files and of compositions whose bytes are in `fetched`. */
  written: number;
}

/** Returns the bytes that recordings may still write, such that each of them can be joined: the largest one fits twice. */
export function bytesLeft(space: RecordingSpace): number {
  return bytesLeftWith(space, reserveOf(space));
}

/** Returns the bytes of all recordings with the reserve for joining. New recordings are refused shortly before `limit`. */
export function usageOf(space: RecordingSpace): { used: number; limit: number } {
  const used = space.finished + sum(space.unfinished) + sum(space.fetched) + reserveOf(space);
  return { used, limit: Math.max(0, used + bytesLeft(space)) };
}

function reserveOf({ joining, unfinished, fetched }: RecordingSpace): number {
  return Math.max(joining, ...unfinished, ...fetched, 0);
}

/** Broadcasts need the last `leastFreeBytes` of the disk. */
function bytesLeftWith({ maxBytes, free, finished, unfinished, fetched, written }: RecordingSpace, reserve: number) {
  const fetching = sum(fetched);
  const byBudget = maxBytes - finished - sum(unfinished) - fetching - reserve;
  return Math.min(byBudget, free + written - fetching - reserve - leastFreeBytes);
}

interface RecordingBudgetParts {
  maxBytes: number;
  workDirectory: string;
  /** Returns the free bytes of a directory's disk. */
  freeBytes: (directory: string) => Promise<number>;
  store: Pick<RecordingStore, 'bytesOnDisk'>;
  /** The unfinished recordings of this node. */
  directories: () => readonly RecordingDirectory[];
  /** Compositions of files whose bytes are reserved by `reserveFetch`. */
  renders: () => readonly RecordingDirectory[];
}

/** Counts the bytes of recordings against `RECORDINGS_MAX_BYTES` and the free disk. */
export class RecordingBudget {
  private readonly joining = new Map<RecordingDirectory, number>();
  private readonly fetched = new Map<symbol, number>();
  private readonly reservations = new SerialQueue();

  constructor(private readonly parts: RecordingBudgetParts) {}

  /** Whether so many running recordings can go on. */
  async isEnoughFor(recordings: number): Promise<boolean> {
    return bytesLeft(await this.measure()) >= recordings * roomPerRecording;
  }

  /** Throws `capacity_reached` unless so many recordings can run. The gateway then tries another transcoder. */
  async requireFor(recordings: number): Promise<void> {
    if (!(await this.isEnoughFor(recordings))) throw diskFull();
  }

  /** Reserves the bytes of another node's recording, or of a composition, and of its joined file. Throws `capacity_reached`. Returns the release. */
  reserveFetch(bytes: number): Promise<() => void> {
    return this.reservations.run(async () => {
      const space = await this.measure();
      if (bytesLeft({ ...space, fetched: [...space.fetched, bytes] }) < 0) throw diskFull();
      const key = Symbol('fetched recording');
      this.fetched.set(key, bytes);
      return () => void this.fetched.delete(key);
    });
  }

  /** Reserves the bytes of the joined file. Throws ENOSPC if they do not fit now. Returns the release. */
  reserveJoin(directory: RecordingDirectory): Promise<() => void> {
    return this.reservations.run(async () => {
      const [bytes, space] = await Promise.all([directory.partBytes(), this.measure()]);
      if (bytesLeftWith(space, space.joining) < bytes) throw noSpaceError(directory.path, bytes + leastFreeBytes);
      this.joining.set(directory, bytes);
      return () => void this.joining.delete(directory);
    });
  }

  /**
   * Reserves more bytes of a recording that is being joined, for its HLS media. Returns the release; undefined if other recordings
   * need the space.
   */
  reserveHls(directory: RecordingDirectory, bytes: number): Promise<(() => void) | undefined> {
    return this.reservations.run(async () => {
      const needed = this.parts.directories().length * roomPerRecording;
      if (bytesLeft(await this.measure()) - bytes < needed) return undefined;
      const before = this.joining.get(directory) ?? 0;
      this.joining.set(directory, before + bytes);
      return () => void this.joining.set(directory, before);
    });
  }

  async usage(): Promise<{ used: number; limit: number }> {
    return usageOf(await this.measure());
  }

  private async measure(): Promise<RecordingSpace> {
    const { maxBytes, workDirectory, freeBytes, store, directories, renders } = this.parts;
    const [free, unfinished, joined, rendered] = await Promise.all([
      freeBytes(workDirectory),
      Promise.all(directories().map(each => each.partBytes())),
      Promise.all([...this.joining.keys()].map(each => each.joinedBytes())),
      Promise.all(renders().map(each => each.writtenBytes())),
    ]);
    const fetched = [...this.fetched.values()];
    return {
      ...{ maxBytes, free, finished: store.bytesOnDisk, unfinished, fetched },
      ...{ joining: sum([...this.joining.values()]), written: sum(joined) + Math.min(sum(rendered), sum(fetched)) },
    };
  }
}

function sum(all: readonly number[]): number {
  return all.reduce((total, bytes) => total + bytes, 0);
}

function diskFull(): ServiceError {
  return new ServiceError('capacity_reached', 'The disk of the transcoder is full. Try again later.');
}
