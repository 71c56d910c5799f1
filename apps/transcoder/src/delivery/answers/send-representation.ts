import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@rtms/contracts';
import { headersOf, type ReadyAnswer } from '@rtms/http';
import type { Request, Response } from 'express';
import type { Representation } from './representation.js';

const methods = ['GET', 'HEAD', 'OPTIONS'];
/** ms after which a connection without progress is closed. */
const stallMs = 60_000;

/** Closes the connection if it makes no progress. */
export function boundStalls(socket: Socket): void {
  if (socket.timeout !== stallMs) socket.setTimeout(stallMs);
}

/** Answers OPTIONS, and refuses all methods but GET and HEAD. Returns whether the request is answered. */
export function answerMethod(request: Request, response: Response): boolean {
  boundStalls(request.socket);
  if (!methods.includes(request.method)) {
    response.setHeader('Allow', methods.join(', '));
    throw new ServiceError('method_not_allowed', `${request.method} is not supported here. Use GET, HEAD or OPTIONS.`);
  }
  if (request.method !== 'OPTIONS') return false;
  response.status(204).end();
  return true;
}

/** Sends a representation. Supports gzip, ranges, conditional requests and HEAD. */
export function sendRepresentation(request: Request, response: Response, representation: Representation): void {
  const { contentType, cacheControl, gzip } = representation;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Accept-Ranges', 'bytes');
  if (gzip) response.setHeader('Vary', 'Accept-Encoding');
  if (gzip && acceptsGzip(request)) sendCompressed(request, response, { ...representation, gzip });
  else sendIdentity(request, response, representation);
}

function sendCompressed(
  request: Request,
  response: Response,
  { gzip: body, etag, sentHeaders }: Representation & { gzip: Buffer },
): void {
  // The gzip form needs a different strong ETag (RFC 9110 section 8.8.3.3).
  response.setHeader('ETag', `${etag.slice(0, -1)}-gzip"`);
  if (isKnown(request, response)) return void sendBody(request, response, 304, undefined);
  response.setHeader('Content-Encoding', 'gzip');
  sentHeaders.gzip = sendBody(request, response, 200, body);
}

function sendIdentity(request: Request, response: Response, { body, etag, sentHeaders }: Representation): void {
  response.setHeader('ETag', etag);
  if (isKnown(request, response)) return void sendBody(request, response, 304, undefined);
  const range = requestedRange(request, response, body.length, etag);
  if (!range) {
    sentHeaders.identity = sendBody(request, response, 200, body);
    return;
  }
  response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${body.length}`);
  sendBody(request, response, 206, body.subarray(range.start, range.end + 1));
}

/** Returns the sent headers. */
function sendBody(request: Request, response: Response, status: number, body: Buffer | undefined): string[] {
  response.statusCode = status;
  if (body) response.setHeader('Content-Length', body.length);
  const headers = headersOf(response);
  response.end(request.method === 'HEAD' ? undefined : body);
  return headers;
}

/** Headers of requests that need more than the whole form. */
const conditions = ['range', 'if-range', 'if-none-match', 'if-modified-since'] as const;
/** Players and CDNs that prefer gzip, without quality values. */
const prefersGzip = /^gzip(?:, *[a-z]+)*$/;

/** Returns the response if it is the same as an earlier one; undefined for a request that needs `sendRepresentation`. */
export function readyAnswer(headers: IncomingHttpHeaders, representation: Representation): ReadyAnswer | undefined {
  if (conditions.some(name => headers[name] !== undefined)) return undefined;
  const { body, gzip, sentHeaders } = representation;
  if (!gzip) return sentHeaders.identity && { headers: sentHeaders.identity, body };
  if (!sentHeaders.gzip || !prefersGzip.test(headers['accept-encoding'] ?? '')) return undefined;
  return { headers: sentHeaders.gzip, body: gzip };
}

/** A range refers to the uncompressed body, so a range request gets no gzip. */
function acceptsGzip(request: Request): boolean {
  return request.headers.range === undefined && request.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** Whether the client's cached copy is current (`If-None-Match`). */
function isKnown(request: Request, response: Response): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.statusCode = 200;
  return request.fresh;
}

/** Returns the requested range; undefined for the whole body, also for several ranges (allowed by RFC 9110 section 14.2). */
function requestedRange(
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
    throw new ServiceError('range_not_satisfiable', `The range is outside the file, which has ${size} bytes.`);
  }
  const isOneRange = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1;
  return isOneRange ? ranges[0] : undefined;
}

/** A file that is streamed from its store. */
export interface StoredFile {
  size: number;
  contentType: string;
  cacheControl: string;
  /** File name for the browser's download. */
  fileName: string;
  /** Strong ETag. */
  etag: string;
  /** Returns undefined if the file has been deleted. */
  read(range?: { start: number; end: number }): Promise<Readable | undefined>;
}

/** Sends a file. Supports ranges, conditional requests and HEAD. */
export async function sendFile(request: Request, response: Response, file: StoredFile): Promise<void> {
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', file.etag);
  if (isKnown(request, response)) return void response.writeHead(304).end();
  const range = requestedRange(request, response, file.size, file.etag);
  const isHead = request.method === 'HEAD';
  const body = isHead || file.size === 0 ? undefined : await file.read(range);
  if (!body && !isHead) throw new ServiceError('not_found', 'This file has been deleted.');
  response.setHeader('Content-Disposition', `attachment; filename="${file.fileName}"`);
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : file.size);
  if (range) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  response.statusCode = range ? 206 : 200;
  // Ignore a connection that either side closes.
  if (body) await pipeline(body, response).catch(() => undefined);
  else response.end();
}
