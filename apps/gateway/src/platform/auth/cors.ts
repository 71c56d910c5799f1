import { crossOrigin } from '@rtms/http';
import type { RequestHandler } from 'express';

/** Caches must not give the answer to one origin to another, whatever the answer is. */
export const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * A preflight carries no key, so it is answered for every origin; the request that follows is measured by its key's
 * type, and the authenticator withdraws the permission to read where the policy says no.
 */
export const cors = crossOrigin({
  origin: 'requesting',
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  requestHeaders: 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, X-Service-Response',
  responseHeaders:
    'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Link, X-Total-Count, Location, ETag, Accept-Patch',
  // Chromium keeps a preflight's answer for two hours at most.
  maxAgeSeconds: 7200,
  preflight: 'here',
});
