import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@rtms/contracts';

/** Enough to see a full disk: a segment needs more than this. */
const probeBytes = 64 * 1024;

/** Two windows of a 1080p broadcast: 2 × 10 segments of 2 s, all renditions together 9 Mbit/s, make 45 MB. */
export const leastFreeBytes = 64 * 1024 * 1024;

/** Checks whether a file can be written into each of these directories: fails on a full or read-only disk. */
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

/** Bytes that the service may still write on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** The error of a write that was not tried, because the disk has fewer than `bytes` left. */
export function noSpaceError(directory: string, bytes: number): Error {
  const megabytes = Math.ceil(bytes / 1024 / 1024);
  return Object.assign(new Error(`${directory} has less than ${megabytes} MB free`), { code: 'ENOSPC' });
}

/** Whether a write failed because the disk is full. */
export function isNoSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/** Refuses new work on a disk that is nearly full, so that the gateway tries another transcoder. */
export function refuseFullDisk(free: number): void {
  if (free >= leastFreeBytes) return;
  throw new ServiceError('capacity_reached', 'The disk of the transcoder is full. Try again later.');
}
