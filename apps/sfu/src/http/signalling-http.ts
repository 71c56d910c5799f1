import type { Request, Response } from 'express';
import type { SignallingRequest, SignallingResponse } from '@rtms/contracts';
import { requestIDOf } from '@rtms/http';

/** All that signalling reads; other headers do not travel over the bus. */
const readHeaders = ['authorization', 'content-type', 'accept', 'if-match', 'access-control-request-method'];

export function toSignallingRequest(request: Request): SignallingRequest {
  const headers: Record<string, string> = {};
  for (const name of readHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const body = typeof request.body === 'string' ? request.body : '';
  return { method: request.method, path: request.path, headers, body, requestID: requestIDOf(request) };
}

/** In one piece: FFmpeg's WHIP muxer fails on a chunked answer. */
export function sendSignallingResponse(response: Response, { status, headers, body }: SignallingResponse): void {
  const length = status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}
