import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable, type NestMiddleware, type OnModuleDestroy } from '@nestjs/common';
import { NoResponderError } from '@rtms/bus';
import { ServiceError, transcoderCommands, type RecordingToken } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { DELIVERY_OPTIONS, type DeliveryOptions } from './delivery-options.js';
import { forwardedHeader, OriginProxy } from './routing/origin-proxy.js';
import { hlsLengthRange, hlsParts, hlsPlaylist } from './stores/hls-file.js';
import type { ByteRange, RecordingStore } from './stores/recording-store.js';
import { storyboardParts, storyboardText } from './stores/storyboard-file.js';
import { answerMethod, sendFile, type StoredFile } from './answers/send-representation.js';

const pathForm =
  /^\/recordings\/([A-Za-z0-9_-]{1,64})(?:\.(mp4)|\/(storyboard\.vtt|storyboard\.jpg|hls\.m3u8|hls\.mp4))$/;
/** Shared caches must not store a file that needs a token. */
const cacheControl = 'private, max-age=0, must-revalidate';
const deadlineMs = 2_000;

/**
 * Serves `/recordings/<recordingID>.mp4?token=…`, and below `…/<recordingID>/` the files `storyboard.vtt`, `storyboard.jpg`, `hls.m3u8` and
 * `hls.mp4`. Fetches a file on another node's disk from that node.
 */
@Injectable()
export class RecordingDownloadMiddleware implements NestMiddleware, OnModuleDestroy {
  private readonly proxy = new OriginProxy();

  constructor(@Inject(DELIVERY_OPTIONS) private readonly options: DeliveryOptions) {}

  async use(request: Request, response: Response): Promise<void> {
    if (answerMethod(request, response)) return;
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://local');
    const [, recordingID, movie, part] = pathForm.exec(pathname) ?? [];
    if (recordingID === undefined) throw new ServiceError('not_found', 'There is nothing at this address.');
    const given = searchParams.get('token');
    const token = await this.verify(recordingID, given);
    if (token.part === 'hls' && !part?.startsWith('hls.'))
      throw new ServiceError('invalid_credentials', 'The token is for the HLS of the recording only. Use downloadUrl.');
    const file = movie ? await this.findMovie(token) : await this.findPart(token, part, given ?? '');
    if (file) await sendFile(request, response, file);
    else await this.forward(request, response, token);
  }

  onModuleDestroy(): Promise<void> {
    return this.proxy.close();
  }

  private async verify(recordingID: string, token: string | null): Promise<RecordingToken> {
    if (!token) throw new ServiceError('invalid_credentials', 'The token is missing.');
    const claims = await this.options.verifier.verify(token, 'recording');
    if (claims.purpose !== 'recording' || claims.resourceID !== recordingID) {
      throw new ServiceError('invalid_credentials', 'The token is for another recording.');
    }
    return claims;
  }

  private async findMovie({ resourceID, checksumSha256 }: RecordingToken): Promise<StoredFile | undefined> {
    const store = this.options.recordings;
    const size = await store.size(resourceID);
    if (size === undefined) return undefined;
    return {
      size,
      contentType: 'video/mp4',
      cacheControl,
      fileName: `${resourceID}.mp4`,
      etag: `"${checksumSha256}"`,
      read: range => store.read(resourceID, range),
    };
  }

  private findPart(token: RecordingToken, part: string | undefined, given: string): Promise<StoredFile | undefined> {
    return part?.startsWith('hls.') ? this.findHls(token, part, given) : this.findStoryboard(token, part, given);
  }

  private async findStoryboard(
    { resourceID, checksumSha256 }: RecordingToken,
    part: string | undefined,
    token: string,
  ): Promise<StoredFile | undefined> {
    const store = this.options.storyboards;
    const stored = await store.size(resourceID);
    if (stored === undefined) return undefined;
    const { vtt, jpeg } = storyboardParts(stored);
    const extension = part === 'storyboard.jpg' ? 'jpg' : 'vtt';
    const file = { cacheControl, fileName: `storyboard.${extension}`, etag: `"${checksumSha256}-${extension}"` };
    if (extension === 'jpg') return partOf(store, resourceID, jpeg, { ...file, contentType: 'image/jpeg' });
    const stream = await store.read(resourceID, vtt);
    if (!stream) return undefined;
    return textOf(storyboardText(await buffer(stream), token), { ...file, contentType: 'text/vtt; charset=utf-8' });
  }

  private async findHls(
    { resourceID, checksumSha256 }: RecordingToken,
    part: string,
    token: string,
  ): Promise<StoredFile | undefined> {
    const store = this.options.hls;
    const stored = await store.size(resourceID);
    const length = stored === undefined ? undefined : await store.read(resourceID, hlsLengthRange(stored));
    if (stored === undefined || !length) return undefined;
    const { media, playlist } = hlsParts(stored, await buffer(length));
    const file = { cacheControl, fileName: part, etag: `"${checksumSha256}-${part}"` };
    if (part === 'hls.mp4') return partOf(store, resourceID, media, { ...file, contentType: 'video/mp4' });
    const stream = await store.read(resourceID, playlist);
    if (!stream) return undefined;
    return textOf(hlsPlaylist(await buffer(stream), token), { ...file, contentType: 'application/vnd.apple.mpegurl' });
  }

  private async forward(request: Request, response: Response, { nodeID }: RecordingToken): Promise<void> {
    const { bus, nodeID: ownID, recordings } = this.options;
    const isElsewhere = recordings.storage === 'node' && nodeID !== ownID;
    if (!isElsewhere || request.headers[forwardedHeader] !== undefined) {
      throw new ServiceError('not_found', 'The recording has no such file, or it is deleted.');
    }
    const origin = await bus
      .request(transcoderCommands.recordingOrigin.forNode(nodeID), {}, { deadlineMs })
      .catch((error: unknown) => Promise.reject(error instanceof NoResponderError ? ownerAway() : (error as Error)));
    await this.proxy.forward(request, response, origin);
  }
}

type Described = Omit<StoredFile, 'size' | 'read'>;

/** A part of a stored file, as a file of its own. */
function partOf(store: RecordingStore, recordingID: string, { start, end }: ByteRange, file: Described): StoredFile {
  const size = end - start + 1;
  const read = (range = { start: 0, end: size - 1 }) =>
    store.read(recordingID, { start: start + range.start, end: start + range.end });
  return { ...file, size, read };
}

function textOf(text: Buffer, file: Described): StoredFile {
  const read = ({ start, end } = { start: 0, end: text.length - 1 }) =>
    Promise.resolve(Readable.from([text.subarray(start, end + 1)]));
  return { ...file, size: text.length, read };
}

function ownerAway(): ServiceError {
  return new ServiceError(
    'dependency_unavailable',
    'The node with this recording is unavailable. Try again in a moment.',
  );
}
