import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { RecordedFile } from '@rtms/contracts';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { parseBoxHeader, parseMovieHeader, readMovieHeader, type MovieHeader } from './mp4-file.js';

type Described = Omit<RecordedFile, 'storage'>;

/** Describes a finished file on the disk. */
export async function describeFile(path: string): Promise<Described> {
  const header = await readMovieHeader(path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const { size } = await stat(path);
  return describe(header, size, hash.digest('hex'));
}

/** Describes the file that another node stored. Throws if there is none. */
export async function describeStored(store: RecordingStore, recordingID: string): Promise<Described> {
  const sizeBytes = await store.size(recordingID);
  const stream = await store.read(recordingID);
  if (sizeBytes === undefined || !stream) throw notStored(recordingID);
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return describe(await readStoredHeader(store, recordingID), sizeBytes, hash.digest('hex'));
}

function describe({ durationSeconds, size }: MovieHeader, sizeBytes: number, checksumSha256: string): Described {
  return { format: 'mp4', durationSeconds, sizeBytes, ...size, checksumSha256 };
}

/** `moov` is one of the first boxes, because FFmpeg moves it to the start. */
const boxesToLookAt = 8;

async function readStoredHeader(store: RecordingStore, recordingID: string): Promise<MovieHeader> {
  let offset = 0;
  for (let count = 0; count < boxesToLookAt; count++) {
    const header = parseBoxHeader(await readBytes(store, recordingID, offset, 16));
    if (header.type === 'moov')
      return parseMovieHeader(await readBytes(store, recordingID, offset + 8, header.size - 8));
    if (header.size < 8) break;
    offset += header.size;
  }
  throw new Error(`${recordingID} is stored as an MP4 file without moov`);
}

async function readBytes(store: RecordingStore, recordingID: string, start: number, length: number): Promise<Buffer> {
  const stream = await store.read(recordingID, { start, end: start + length - 1 });
  if (!stream) throw notStored(recordingID);
  return buffer(stream);
}

function notStored(recordingID: string): Error {
  return new Error(`${recordingID} is no longer in the store`);
}
