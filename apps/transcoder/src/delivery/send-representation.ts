import { ServiceError } from '@rtms/contracts';
import type { Request, Response } from 'express';
import type { Representation } from './representation.js';

/** Answers with a representation: compressed, in part, not again, or without body, as the request wants it. */
export function sendRepresentation(request: Request, response: Response, representation: Representation): void {
  const { contentType, cacheControl, etag, gzip } = representation;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Accept-Ranges', 'bytes');
  if (gzip) response.setHeader('Vary', 'Accept-Encoding');
  if (gzip && acceptsGzip(request)) sendCompressed(request, response, gzip, etag);
  else sendIdentity(request, response, representation);
}

function sendCompressed(request: Request, response: Response, body: Buffer, etag: string): void {
  // Other bytes, so another strong ETag (RFC 9110 section 8.8.3.3).
  response.setHeader('ETag', `${etag.slice(0, -1)}-gzip"`);
  if (isKnown(request, response)) return sendBody(request, response, 304, undefined);
  response.setHeader('Content-Encoding', 'gzip');
  sendBody(request, response, 200, body);
}

function sendIdentity(request: Request, response: Response, { body, etag }: Representation): void {
  response.setHeader('ETag', etag);
  if (isKnown(request, response)) return sendBody(request, response, 304, undefined);
  const range = requestedRange(request, response, body.length, etag);
  if (!range) return sendBody(request, response, 200, body);
  response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${body.length}`);
  sendBody(request, response, 206, body.subarray(range.start, range.end + 1));
}

function sendBody(request: Request, response: Response, status: number, body: Buffer | undefined): void {
  response.statusCode = status;
  if (body) response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** A range asks for bytes of the uncompressed form. */
function acceptsGzip(request: Request): boolean {
  return request.headers.range === undefined && request.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** Whether the caller has it already. */
export function isKnown(request: Request, response: Response): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.statusCode = 200;
  return request.fresh;
}

/** undefined: all of it, as also where several ranges are asked for (RFC 9110 section 14.2 leaves that free). */
export function requestedRange(
  request: Request,
  response: Response,
  size: number,
  etag: string,
): { start: number; end: number } | undefined {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const ranges = request.range(size);
  if (ranges === -1) {
    for (const name of ['Content-Type', 'ETag', 'Accept-Ranges']) response.removeHeader(name);
    response.setHeader('Content-Range', `bytes */${size}`);
    throw new ServiceError('range_not_satisfiable', `There are only ${size} bytes here.`);
  }
  const isOneRange = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1;
  return isOneRange ? ranges[0] : undefined;
}
