import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import { readBoxes } from '../../../apps/transcoder/src/jobs/recordings/mp4-file.js';
import type { ApiClient, Recording } from './api-client.js';

/**
 * Resolves with the fragments of a recording that its transcoder has written to the disk, once there are so many. A
 * fragment lasts a second.
 */
export function recordedOnDisk(
  mediaDirs: string | readonly string[],
  recordingID: string,
  fragments: number,
): Promise<number> {
  const countIn = async (mediaDir: string): Promise<number> => {
    const work = join(mediaDir, 'recordings', 'work');
    const nodes = await readdir(work).catch(() => []);
    return sumOf(await Promise.all(nodes.map(node => fragmentsIn(join(work, node, recordingID)))));
  };
  const count = async (): Promise<number> => sumOf(await Promise.all([mediaDirs].flat().map(countIn)));
  const enough = async (): Promise<number | undefined> => {
    const written = await count();
    return written >= fragments ? written : undefined;
  };
  return waitFor(enough, { everyMs: 100, what: `${fragments} fragments of ${recordingID}` });
}

/** The file of the part that the transcoder of a recording writes now; undefined: there is none. */
export async function newestPart(mediaDir: string, recordingID: string): Promise<string | undefined> {
  const work = join(mediaDir, 'recordings', 'work');
  const nodes = await readdir(work).catch(() => []);
  const parts = await Promise.all(nodes.map(node => partsIn(join(work, node, recordingID))));
  const numberOf = (path: string) => Number(/(\d+)\.mp4$/.exec(path)?.[1]);
  return parts
    .flat()
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .at(-1);
}

async function partsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter(name => /^part-\d+\.mp4$/.test(name)).map(name => join(directory, name));
}

async function fragmentsIn(directory: string): Promise<number> {
  return sumOf(await Promise.all((await partsIn(directory)).map(fragmentsOf)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

async function fragmentsOf(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    return (await readBoxes(file)).filter(({ type }) => type === 'mdat').length;
  } finally {
    await file.close();
  }
}

/** Records a moment of a session; answers the recording once its file is there. */
export async function recordSome(api: ApiClient, meetingID: string, sourceSessionID: string): Promise<Recording> {
  const { recordingID } = await api.startRecording(meetingID, { sourceSessionID });
  await api.recordingBecomes(recordingID, 'recording');
  await api.stopRecording(recordingID);
  return api.recordingBecomes(recordingID, 'ready');
}

/** SHA-256 of the downloaded bytes. */
export async function downloadedChecksum(api: ApiClient, recordingID: string): Promise<string> {
  const { downloadUrl } = await api.recordingBecomes(recordingID, 'ready');
  const response = await fetch(downloadUrl);
  if (!response.ok) throw new Error(`${response.status} for a recording`);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}
