import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { RecordedFile } from '@rtms/contracts';
import { leastFreeBytes, noSpaceError } from '../disk.js';
import { cutToFragments, readMovieHeader } from './mp4-file.js';
import { planJoin } from './part-shape.js';
import type { Recorder } from './recorder.js';
import type { RecordedPart, RecordingDirectory } from './recording-directory.js';

const joinedFile = 'joined.mp4';

export interface JoinedRecording {
  path: string;
  described: Omit<RecordedFile, 'storage'>;
}

/**
 * Makes one file of the parts. undefined: there is nothing in them. Doing it again is safe: a failure leaves the parts.
 * Fails with ENOSPC on a disk with too little room.
 */
export async function joinParts(
  directory: RecordingDirectory,
  { recorder, freeBytes }: { recorder: Recorder; freeBytes: (directory: string) => Promise<number> },
  signal: AbortSignal,
): Promise<JoinedRecording | undefined> {
  const parts = await usableParts(directory);
  if (parts.length === 0) return undefined;
  const path = directory.pathOf(joinedFile);
  await rm(path, { force: true });
  // The file takes as much as the parts. Broadcasts and other recordings need the rest of the disk.
  const needed = (await directory.partBytes()) + leastFreeBytes;
  if ((await freeBytes(directory.path)) < needed) throw noSpaceError(directory.path, needed);
  const plan = planJoin(parts.map(({ shape }) => shape));
  const names = parts.map(({ file }) => file);
  try {
    await recorder.join({ plan, parts: names, directory: directory.path, path }, signal);
    return { path, described: await describeFile(path) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function usableParts(directory: RecordingDirectory): Promise<RecordedPart[]> {
  const isUsable = await Promise.all(
    directory.notes.parts.map(({ file }) => cutToFragments(directory.pathOf(file)).catch(() => false)),
  );
  return directory.notes.parts.filter((_, index) => isUsable[index]);
}

async function describeFile(path: string): Promise<Omit<RecordedFile, 'storage'>> {
  const { durationSeconds, size } = await readMovieHeader(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const { size: sizeBytes } = await stat(path);
  return { format: 'mp4', durationSeconds, sizeBytes, ...size, checksumSha256: hash.digest('hex') };
}
