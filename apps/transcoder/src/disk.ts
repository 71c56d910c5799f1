import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@rtms/contracts';

/** A segment needs more than this, so the probe detects a full disk. */
const probeBytes = 64 * 1024;

/** Two windows of a 1080p broadcast: 2 × 10 segments of 2 s, all renditions together 9 Mbit/s, make 45 MB. */
export const leastFreeBytes = 64 * 1024 * 1024;

/** Writes a file to each directory. Rejects on a full or read-only disk. */
export async function canWrite(directories: readonly string[]): Promise<boolean> {
  await Promise.all(directories.map(writeProbe));
  return true;
}

async function writeProbe(directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(path, Buffer.alloc(probeBytes));
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns the free bytes of a directory's disk. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Returns the ENOSPC error for a write that was skipped because fewer than `bytes` are free. */
export function noSpaceError(directory: string, bytes: number): Error {
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  return Object.assign(new Error(`${directory} has less than ${megabytes} MB free`), { code: 'ENOSPC' });
}

/** Whether a write failed because the disk is full. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** Throws `capacity_reached` if the disk is nearly full. The gateway then tries another transcoder. */
export function refuseFullDisk(free: number): void {
  if (free >= leastFreeBytes) return;
  throw new ServiceError('capacity_reached', 'The disk of the transcoder is full. Try again later.');
}

/** Handler for `catch`: undefined for a file or folder that does not exist. Throws any other error again. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
