import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type _Object,
  type S3Client,
} from '@aws-sdk/client-s3';
import { NewestPieces, requirePieceName, type PieceStore, type StoredPiece } from './piece-store.js';
import { isRecordingID } from './recording-store.js';
import { ignoreMissing, openS3, s3SilentMs, type S3RecordingStoreOptions } from './s3-recording-store.js';

/** A piece has some megabytes at most. The next attempt follows within seconds. */
const requestMs = 15_000;
const deletionsAtOnce = 16;
/** A million pieces: 20 recordings of 24 hours make 600,000. */
const mostPages = 1_000;

/** Stores pieces as objects `<prefix>unfinished/<recordingID>/<name>` in an S3 bucket. */
export class S3PieceStore implements PieceStore {
  private readonly client: S3Client;

  constructor(private readonly options: S3RecordingStoreOptions) {
    this.client = openS3(options, s3SilentMs);
  }

  async put(recordingID: string, name: string, content: Buffer): Promise<void> {
    requirePieceName(recordingID, name);
    const command = new PutObjectCommand({ ...this.target(recordingID, name), Body: content });
    await this.client.send(command, { abortSignal: AbortSignal.timeout(requestMs) });
  }

  async read(recordingID: string, name: string): Promise<Buffer | undefined> {
    requirePieceName(recordingID, name);
    const command = new GetObjectCommand(this.target(recordingID, name));
    const abortSignal = AbortSignal.timeout(requestMs);
    const answer = await this.client.send(command, { abortSignal }).catch(ignoreMissing);
    return answer?.Body && Buffer.from(await answer.Body.transformToByteArray());
  }

  async list(recordingID: string): Promise<StoredPiece[]> {
    if (!isRecordingID(recordingID)) return [];
    const folder = this.keyOf(recordingID, '');
    const pieces: StoredPiece[] = [];
    for await (const { Key = '', Size = 0 } of this.objectsBelow(folder))
      pieces.push({ name: Key.slice(folder.length), size: Size });
    return pieces;
  }

  /** Deletes single objects, because not every service answers a deletion of many. */
  async remove(recordingID: string, keep: readonly string[] = []): Promise<void> {
    const names = (await this.list(recordingID)).map(({ name }) => name).filter(name => !keep.includes(name));
    for (let from = 0; from < names.length; from += deletionsAtOnce) {
      const some = names.slice(from, from + deletionsAtOnce);
      await Promise.all(some.map(name => this.client.send(new DeleteObjectCommand(this.target(recordingID, name)))));
    }
  }

  async listUnchangedSince(before: Date, limit: number): Promise<string[]> {
    const newest = new NewestPieces();
    const folder = `${this.options.prefix}unfinished/`;
    for await (const { Key = '', LastModified } of this.objectsBelow(folder)) {
      const recordingID = Key.slice(folder.length).split('/')[0] ?? '';
      if (isRecordingID(recordingID) && LastModified) newest.add(recordingID, LastModified.getTime());
    }
    return newest.before(before, limit);
  }

  close(): Promise<void> {
    this.client.destroy();
    return Promise.resolve();
  }

  /** S3 lists keys in their order. */
  private async *objectsBelow(Prefix: string): AsyncGenerator<_Object> {
    let pages = 0;
    const { client, options } = this;
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: options.bucket, Prefix })) {
      yield* Contents;
      if (++pages >= mostPages) return;
    }
  }

  private target(recordingID: string, name: string): { Bucket: string; Key: string } {
    return { Bucket: this.options.bucket, Key: this.keyOf(recordingID, name) };
  }

  private keyOf(recordingID: string, name: string): string {
    return `${this.options.prefix}unfinished/${recordingID}/${name}`;
  }
}
