import type { RequestHandler } from 'express';
import { nanoid } from 'nanoid';

declare module 'express-serve-static-core' {
  interface Request {
    /** As `requestID()` gave it. */
    id?: string;
  }
}

const acceptable = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Takes the caller's `X-Request-Id` when it is 1–64 of `A-Za-z0-9_-`, else makes one; it stands in
 * `request.id` and on the response. Goes before everything else.
 */
export function requestID(): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers['x-request-id'];
    request.id = typeof sent === 'string' && acceptable.test(sent) ? sent : nanoid();
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}

/** The id that `requestID()` gave to a request; empty when it did not run. */
export function requestIDOf({ id }: { id?: string }): string {
  return id ?? '';
}
