import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { isRecordingID, type ByteRange, type PutResult, type RecordingStore } from './recording-store.js';

export interface S3RecordingStoreOptions {
  bucket: string;
  region: string;
  /** Default: Amazon's endpoint. */
  endpoint?: string | undefined;
  /** Default: the AWS credential chain (environment, file, instance). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Puts the bucket in the path instead of the host name. */
  forcePathStyle: boolean;
  /** Prefix of every object key. */
  prefix: string;
}

/** A request fails if the service is silent for longer. Otherwise a connection that is cut off would wait for ever. */
export const s3SilentMs = 60_000;

/** `silentMs`: undefined for downloads, which wait for slow readers. */
export function openS3(
  { region, endpoint, credentials, forcePathStyle }: S3RecordingStoreOptions,
  silentMs?: number,
): S3Client {
  return new S3Client({
    ...(silentMs !== undefined && { requestHandler: { connectionTimeout: silentMs, socketTimeout: silentMs } }),
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    // Other services than Amazon's do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** The kind of files in a store, one for each recording. */
const movies = { extension: 'mp4', contentType: 'video/mp4' };

/** Stores recordings as objects `<prefix><recordingID>.mp4` in an S3 bucket, or other files with their extension. */
export class S3RecordingStore implements RecordingStore {
  readonly storage = 'shared';
  readonly bytesOnDisk = 0;
  private readonly client: S3Client;
  private readonly downloads: S3Client;

  constructor(
    private readonly options: S3RecordingStoreOptions,
    silentMs = s3SilentMs,
    private readonly kind = movies,
  ) {
    this.client = openS3(options, silentMs);
    this.downloads = openS3(options);
  }

  /**
   * First aborts multipart uploads that a crash left, because nobody else would. `If-None-Match` decides between nodes that upload at
   * once. A service that does not know it keeps the last of such files.
   */
  async put(recordingID: string, path: string, signal?: AbortSignal): Promise<PutResult> {
    if ((await this.size(recordingID)) !== undefined) return 'exists';
    const target = this.target(recordingID);
    await this.abortUploads(target.Key);
    try {
      await this.upload(target, path, signal, { IfNoneMatch: '*' }).catch((error: unknown) => {
        if (!hasStatus(error, 501)) throw error;
        return this.upload(target, path, signal);
      });
    } catch (error) {
      if (hasStatus(error, 412)) return 'exists';
      throw error;
    }
    return 'stored';
  }

  private async upload(
    target: { Bucket: string; Key: string },
    path: string,
    signal: AbortSignal | undefined,
    condition: { IfNoneMatch?: string } = {},
  ): Promise<void> {
    const params = { ...target, ...condition, Body: createReadStream(path), ContentType: this.kind.contentType };
    const upload = new Upload({ client: this.client, params, leavePartsOnError: false });
    const abort = () => void upload.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      await upload.done();
    } finally {
      signal?.removeEventListener('abort', abort);
      params.Body.destroy();
    }
  }

  async size(recordingID: string): Promise<number | undefined> {
    if (!isRecordingID(recordingID)) return undefined;
    const answer = await this.client.send(new HeadObjectCommand(this.target(recordingID))).catch(ignoreMissing);
    return answer?.ContentLength;
  }

  async read(recordingID: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.bodyFrom(this.downloads, recordingID, range);
  }

  /** A disk is no slow reader, so a silent service fails the copy. */
  async copyTo(recordingID: string, path: string, signal?: AbortSignal): Promise<boolean> {
    const body = await this.bodyFrom(this.client, recordingID);
    if (body) await pipeline(body, createWriteStream(path), { ...(signal && { signal }) });
    return body !== undefined;
  }

  private async bodyFrom(client: S3Client, recordingID: string, range?: ByteRange): Promise<Readable | undefined> {
    if (!isRecordingID(recordingID)) return undefined;
    const part = range && { Range: `bytes=${range.start}-${range.end}` };
    const answer = await client
      .send(new GetObjectCommand({ ...this.target(recordingID), ...part }))
      .catch(ignoreMissing);
    return answer?.Body as Readable | undefined;
  }

  async delete(recordingID: string): Promise<void> {
    if (!isRecordingID(recordingID)) return;
    const target = this.target(recordingID);
    await this.abortUploads(target.Key);
    await this.client.send(new DeleteObjectCommand(target));
  }

  close(): Promise<void> {
    this.client.destroy();
    this.downloads.destroy();
    return Promise.resolve();
  }

  private async abortUploads(key: string): Promise<void> {
    const { bucket: Bucket } = this.options;
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix: key });
    const { Uploads = [] } = (await this.client.send(command).catch(ignoreNotImplemented)) ?? {};
    const unfinished = Uploads.filter(upload => upload.Key === key);
    await Promise.all(
      unfinished.map(({ UploadId }) =>
        this.client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId })).catch(ignoreMissing),
      ),
    );
  }

  private target(recordingID: string): { Bucket: string; Key: string } {
    if (!isRecordingID(recordingID)) throw new Error(`not a recording's name: ${recordingID}`);
    return { Bucket: this.options.bucket, Key: `${this.options.prefix}${recordingID}.${this.kind.extension}` };
  }
}

export function ignoreMissing(error: unknown): undefined {
  if (hasStatus(error, 404)) return undefined;
  throw error;
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}

/** A service that cannot list uploads expires unfinished ones itself. */
function ignoreNotImplemented(error: unknown): undefined {
  if (hasStatus(error, 501)) return undefined;
  throw error;
}
