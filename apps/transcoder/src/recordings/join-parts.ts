import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { RecordedFile } from '@rtms/contracts';
import { cutToFragments, readMovieHeader } from './mp4-file.js';
import { planJoin } from './part-shape.js';
import type { Recorder } from './recorder.js';
import type { RecordedPart, RecordingDirectory } from './recording-directory.js';

const joinedFile = 'joined.mp4';

export interface JoinedRecording {
  path: string;
  described: Omit<RecordedFile, 'storage'>;
}

/** Makes one file of the parts. undefined: there is nothing in them. Doing it again is safe. */
export async function joinParts(
  directory: RecordingDirectory,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<JoinedRecording | undefined> {
  const parts = await usableParts(directory);
  if (parts.length === 0) return undefined;
  const path = directory.pathOf(joinedFile);
  await rm(path, { force: true });
  const plan = planJoin(parts.map(({ shape }) => shape));
  const names = parts.map(({ file }) => file);
  await recorder.join({ plan, parts: names, directory: directory.path, path }, signal);
  return { path, described: await describeFile(path) };
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
