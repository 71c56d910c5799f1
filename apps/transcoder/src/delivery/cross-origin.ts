import type { Response } from 'express';

/** Players run on any page; what they get is guarded by the signed path, not by where they run. */
const crossOriginHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, Date, ETag, Retry-After, X-Request-Id',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

export function allowAnyOrigin(response: Response): void {
  for (const [name, value] of Object.entries(crossOriginHeaders)) response.setHeader(name, value);
}

/** The answer to a preflight (Fetch standard, section 4.8); it needs no credential. */
export function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range, If-None-Match, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.statusCode = 204;
  response.end();
}
