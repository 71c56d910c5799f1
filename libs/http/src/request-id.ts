import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { nanoid } from 'nanoid';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `requestID()`. */
    id?: string;
  }
}

const acceptable = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Sets `request.id` and the `X-Request-Id` response header. Uses the caller's `X-Request-Id` if it is 1 to 64 characters of
 * `A-Za-z0-9_-`, else a new id. Register it before all other middleware.
 */
export function requestID(): RequestHandler {
  return (request, response, next) => {
    request.id = makeRequestID(request);
    response.setHeader('X-Request-Id', request.id);
    next();
  };
}

/** Returns the caller's `X-Request-Id` if it is acceptable, else a new id. */
export function makeRequestID({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) ? sent : nanoid();
}

/** Returns the id from `requestID()`, or '' if that middleware did not run. */
export function requestIDOf({ id }: { id?: string }): string {
  return id ?? '';
}

/** `@RequestID() requestID: string`: the id for the commands that a request causes. */
export const RequestID = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestIDOf(context.switchToHttp().getRequest<Request>()),
);
