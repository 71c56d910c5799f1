import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** A recording or a playlist that is opened by itself is shown by the browser's own player. */
const directives = { defaultSrc: ["'none'"], mediaSrc: ["'self'"], frameAncestors: ["'none'"] };

/**
 * Headers of services whose answers are media and signalling, for pages of any origin: nothing of them is ever a page
 * or runs, and any page may load them (`Cross-Origin-Resource-Policy`), also one that isolates itself by
 * `Cross-Origin-Embedder-Policy`. Who may read them is CORS's concern, and the token's.
 */
export function mediaHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // What follows is for pages, and each header is sent with every segment.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }) as RequestHandler;
}
