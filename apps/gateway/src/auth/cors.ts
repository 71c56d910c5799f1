import type { RequestHandler } from 'express';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, X-Service-Response';
const responseHeaders =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Link, X-Total-Count, Location, ETag, Accept-Patch';
/** Chromium keeps a preflight's answer for two hours at most. */
const preflightSeconds = '7200';

/** What a request from one origin is answered is never to be kept for another, whatever the answer is. */
export const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * A preflight carries no key, so it is answered for every origin; the request that follows is measured by its key's
 * type, and the authenticator withdraws the permission to read where the policy says no. Credentials in the sense
 * of browsers (cookies) are never allowed.
 */
export function cors(): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS') {
      if (origin !== undefined) response.setHeader('Access-Control-Expose-Headers', responseHeaders);
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', requestHeaders);
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    response.status(204).end();
  };
}
