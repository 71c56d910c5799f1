import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sweepLeftovers } from '@rtms/testing';

/** FFmpeg and the services write far less than a segment in this time. */
const refillMs = 10;

/**
 * A disk of a few megabytes, a tmpfs, that a test fills and empties. `sweepLeftovers` unmounts the disk of a test that
 * was killed.
 */
export class SmallDisk {
  private filling: { stop: AbortController; done: Promise<void> } | undefined;

  private constructor(readonly path: string) {}

  /** Needs CAP_SYS_ADMIN; see `mountRefusal`. */
  static mount(megabytes: number): SmallDisk {
    sweepLeftovers();
    const path = mkdtempSync(join(tmpdir(), `rtms-test-disk-${process.pid}-`));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'rtms-test-disk', path]);
    return new SmallDisk(path);
  }

  /** Fills the disk to its last byte, also with space that others free, until `makeRoom`. */
  fill(): void {
    // Else, on a busy machine, others write into the space that they free before this process runs.
    setPriority(constants.priority.PRIORITY_HIGHEST);
    const stop = new AbortController();
    const ballast = openSync(this.ballast, 'a');
    const done = this.keepFull(ballast, stop.signal).finally(() => closeSync(ballast));
    this.filling = { stop, done };
  }

  /** Gives the space back. */
  async makeRoom(): Promise<void> {
    this.filling?.stop.abort();
    await this.filling?.done;
    this.filling = undefined;
    setPriority(constants.priority.PRIORITY_NORMAL);
    await rm(this.ballast, { force: true });
  }

  /** A process with open files there keeps the memory until it closes them. */
  async close(): Promise<void> {
    await this.makeRoom();
    execFileSync('umount', ['--lazy', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }

  private get ballast(): string {
    return join(this.path, 'ballast');
  }

  /** Writes on the main thread: it alone has the high priority, and the threads of asynchronous calls do not. */
  private async keepFull(ballast: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { bavail, bsize } = statfsSync(this.path);
      if (bavail > 0) writeUntilFull(ballast, bavail * bsize);
      await pause(refillMs);
    }
  }
}

function writeUntilFull(file: number, bytes: number): void {
  try {
    writeSync(file, Buffer.alloc(bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** The reason why this machine mounts no disk for the tests; undefined if it does. */
export function mountRefusal(): string | undefined {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error).trim();
  }
}
