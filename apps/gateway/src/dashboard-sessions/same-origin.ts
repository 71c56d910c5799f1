import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from a page of this service, or from no page at all. Browsers say so by `Origin` and
 * `Sec-Fetch-Site`, which no script can set; `none` is an address that somebody opened.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicHost: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && [publicHost, host].includes(new URL(origin).host);
}
