import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Values of the CORS response headers. */
export interface CrossOriginPolicy {
  /** `requesting` repeats the request's `Origin`; a request without `Origin` gets no CORS headers. */
  origin: '*' | 'requesting';
  methods: string;
  requestHeaders: string;
  /** Response headers that a page may read. */
  responseHeaders: string;
  /** How long a browser caches the preflight response. */
  maxAgeSeconds: number;
  /** `here` answers a preflight with 204. `next` passes it to the next handler. */
  preflight: 'here' | 'next';
}

/**
 * Adds CORS headers (Fetch standard, section 3.3). It never allows credentials, because callers authenticate with a token or a
 * key and not with a cookie.
 */
export function crossOrigin(policy: CrossOriginPolicy): RequestHandler {
  return (request, response, next) => {
    const origin = policy.origin === '*' ? '*' : request.headers.origin;
    const isPreflight = request.method === 'OPTIONS';
    const endsHere = isPreflight && policy.preflight === 'here';
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    if (isPreflight) {
      response.setHeader('Access-Control-Allow-Methods', policy.methods);
      response.setHeader('Access-Control-Allow-Headers', policy.requestHeaders);
      response.setHeader('Access-Control-Max-Age', String(policy.maxAgeSeconds));
    }
    if (endsHere) {
      response.status(204).end();
      return;
    }
    if (origin !== undefined) response.setHeader('Access-Control-Expose-Headers', policy.responseHeaders);
    next();
  };
}

/** `mediaSrc` lets the browser's own player show a recording or playlist that the user opens directly. */
const directives = { defaultSrc: ["'none'"], mediaSrc: ["'self'"], frameAncestors: ["'none'"] };

/**
 * Security headers for media and signalling responses. They forbid scripts and frames. `Cross-Origin-Resource-Policy` lets any
 * page load them, also a page with `Cross-Origin-Embedder-Policy`. CORS and the token decide who may read them.
 */
export function mediaHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Only pages need the headers below. Each header would cost bytes in every segment response.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }) as RequestHandler;
}
