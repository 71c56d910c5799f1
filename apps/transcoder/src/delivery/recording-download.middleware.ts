import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable, type NestMiddleware, type OnModuleDestroy } from '@nestjs/common';
import { NoResponderError } from '@rtms/bus';
import { ServiceError, transcoderCommands, type RecordingToken } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { DELIVERY_OPTIONS, type DeliveryOptions } from './delivery-options.js';
import { forwardedHeader, OriginProxy } from './origin-proxy.js';
import { storyboardParts, storyboardText } from './stores/storyboard-file.js';
import { answerMethod, sendFile, type StoredFile } from './send-representation.js';

const pathForm = /^\/recordings\/([A-Za-z0-9_-]{1,64})(?:\.(mp4)|\/storyboard\.(vtt|jpg))$/;
/** Shared caches must not store a file that needs a token. */
const cacheControl = 'private, max-age=0, must-revalidate';
const deadlineMs = 2_000;

/** Serves `/recordings/<recordingID>.mp4?token=…`, and `…/<recordingID>/storyboard.vtt` and `.jpg`. Fetches a file on another node's disk from that node. */
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
    const file = movie ? await this.findMovie(token) : await this.findStoryboard(token, part, given ?? '');
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

  private async findStoryboard(
    { resourceID, checksumSha256 }: RecordingToken,
    part: string | undefined,
    token: string,
  ): Promise<StoredFile | undefined> {
    const store = this.options.storyboards;
    const stored = await store.size(resourceID);
    if (stored === undefined) return undefined;
    const { vtt, jpeg } = storyboardParts(stored);
    const file = { cacheControl, fileName: `storyboard.${part}`, etag: `"${checksumSha256}-${part}"` };
    if (part === 'jpg') {
      const read = (range = { start: 0, end: jpeg.end - jpeg.start }) =>
        store.read(resourceID, { start: jpeg.start + range.start, end: jpeg.start + range.end });
      return { ...file, size: jpeg.end - jpeg.start + 1, contentType: 'image/jpeg', read };
    }
    const stream = await store.read(resourceID, vtt);
    if (!stream) return undefined;
    const text = storyboardText(await buffer(stream), token);
    const read = ({ start, end } = { start: 0, end: text.length - 1 }) =>
      Promise.resolve(Readable.from([text.subarray(start, end + 1)]));
    return { ...file, size: text.length, contentType: 'text/vtt; charset=utf-8', read };
  }

  private async forward(request: Request, response: Response, { nodeID }: RecordingToken): Promise<void> {
    const { bus, nodeID: ownID, recordings } = this.options;
    const isElsewhere = recordings.storage === 'node' && nodeID !== ownID;
    if (!isElsewhere || request.headers[forwardedHeader] !== undefined) {
      throw new ServiceError('not_found', 'The recording has no such file, or it is deleted.');
    }
    const { internalUrl } = await bus
      .request(transcoderCommands.recordingOrigin.forNode(nodeID), {}, { deadlineMs })
      .catch((error: unknown) => Promise.reject(error instanceof NoResponderError ? ownerAway() : (error as Error)));
    await this.proxy.forward(request, response, internalUrl);
  }
}

function ownerAway(): ServiceError {
  return new ServiceError(
    'dependency_unavailable',
    'The node with this recording is unavailable. Try again in a moment.',
  );
}
