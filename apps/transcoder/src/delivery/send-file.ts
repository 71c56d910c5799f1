import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { isKnown, requestedRange } from './send-representation.js';

/** A file that is read as it is sent. */
export interface StoredFile {
  size: number;
  contentType: string;
  cacheControl: string;
  /** As the browser is to name it. */
  fileName: string;
  /** Strong. */
  etag: string;
  /** undefined: it was deleted meanwhile. */
  read(range?: { start: number; end: number }): Promise<Readable | undefined>;
}

/** Answers with a file: in part, not again, or without body, as the request wants it. */
export async function sendFile(request: Request, response: Response, file: StoredFile): Promise<void> {
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', file.etag);
  if (isKnown(request, response)) return void response.writeHead(304).end();
  const range = requestedRange(request, response, file.size, file.etag);
  const isHead = request.method === 'HEAD';
  const body = isHead || file.size === 0 ? undefined : await file.read(range);
  if (!body && !isHead) throw new ServiceError('not_found', 'This file is no longer there.');
  response.setHeader('Content-Disposition', `attachment; filename="${file.fileName}"`);
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : file.size);
  if (range) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  response.statusCode = range ? 206 : 200;
  // Either side may go away at any time; there is nobody left to tell.
  if (body) await pipeline(body, response).catch(() => undefined);
  else response.end();
}
