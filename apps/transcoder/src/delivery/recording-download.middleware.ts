import { Inject, Injectable, type NestMiddleware, type OnModuleDestroy } from '@nestjs/common';
import { NoResponderError } from '@rtms/bus';
import { ServiceError, transcoderCommands, type RecordingToken } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { DELIVERY_OPTIONS, type DeliveryOptions } from './delivery-options.js';
import { forwardedHeader, OriginProxy } from './origin-proxy.js';
import { answerMethod, sendFile, type StoredFile } from './send-representation.js';

const pathForm = /^\/recordings\/([A-Za-z0-9_-]{1,64})\.mp4$/;
const deadlineMs = 2_000;

/** Serves `/recordings/<recordingID>.mp4?token=…`. Fetches a file on another node's disk from that node. */
@Injectable()
export class RecordingDownloadMiddleware implements NestMiddleware, OnModuleDestroy {
  private readonly proxy = new OriginProxy();

  constructor(@Inject(DELIVERY_OPTIONS) private readonly options: DeliveryOptions) {}

  async use(request: Request, response: Response): Promise<void> {
    if (answerMethod(request, response)) return;
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://local');
    const recordingID = pathForm.exec(pathname)?.[1];
    if (recordingID === undefined) throw new ServiceError('not_found', 'There is nothing at this address.');
    const token = await this.verify(recordingID, searchParams.get('token'));
    const file = await this.find(token);
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

  private async find({ resourceID, checksumSha256 }: RecordingToken): Promise<StoredFile | undefined> {
    const store = this.options.recordings;
    const size = await store.size(resourceID);
    if (size === undefined) return undefined;
    return {
      size,
      contentType: 'video/mp4',
      // Shared caches must not store a file that needs a token.
      cacheControl: 'private, max-age=0, must-revalidate',
      fileName: `${resourceID}.mp4`,
      etag: `"${checksumSha256}"`,
      read: range => store.read(resourceID, range),
    };
  }

  private async forward(request: Request, response: Response, { nodeID }: RecordingToken): Promise<void> {
    const { bus, nodeID: ownID, recordings } = this.options;
    const isElsewhere = recordings.storage === 'node' && nodeID !== ownID;
    if (!isElsewhere || request.headers[forwardedHeader] !== undefined) {
      throw new ServiceError('not_found', 'The file of this recording is deleted.');
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
