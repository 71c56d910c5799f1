import { join } from 'node:path';
import { DiskRecordingStore } from './disk-recording-store.js';
import type { RecordingStore } from './recording-store.js';
import { S3RecordingStore, type S3RecordingStoreOptions } from './s3-recording-store.js';

/** The bucket where there is one, else the node's own disk. */
export async function openRecordingStore(options: {
  directory: string;
  s3?: S3RecordingStoreOptions;
}): Promise<RecordingStore> {
  return options.s3 ? new S3RecordingStore(options.s3) : DiskRecordingStore.open(join(options.directory, 'files'));
}
