import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the origin of a request. Browsers send no `Origin` with reads of their own origin. These reads have `Sec-Fetch-Site`, which
 * no script can set, and their origin is that of the referring page.
 */
export function requestOrigin(headers: IncomingHttpHeaders): string | undefined {
  if (headers.origin !== undefined) return headers.origin;
  if (headers['sec-fetch-site'] === undefined) return undefined;
  return headers.referer !== undefined && URL.canParse(headers.referer) ? new URL(headers.referer).origin : 'null';
}

/** More than any real chain of proxies. */
const maxProxies = 16;

/**
 * Returns the domains that proxied a request, as origins: the hosts in `X-Forwarded-Host` and `Forwarded` (RFC 7239) without the
 * gateway's own names. All have the scheme of the first one. The default is HTTPS.
 */
export function proxyOrigins(headers: IncomingHttpHeaders, ownHosts: readonly string[]): string[] {
  if (headers['x-forwarded-host'] === undefined && headers.forwarded === undefined) return [];
  const [scheme = 'https'] = [...listOf(headers['x-forwarded-proto']), ...forwarded(headers, 'proto')];
  const own = ownHosts.map(withoutPort);
  const hosts = forwardedHosts(headers).filter(host => !own.includes(withoutPort(host)));
  return [...new Set(hosts)].slice(0, maxProxies).map(host => `${scheme}://${host}`);
}

function forwardedHosts(headers: IncomingHttpHeaders): string[] {
  return [...listOf(headers['x-forwarded-host']), ...forwarded(headers, 'host')];
}

function forwarded(headers: IncomingHttpHeaders, name: string): string[] {
  const pairs = listOf(headers.forwarded).flatMap(element => element.split(';').map(pair => pair.trim()));
  return pairs
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1).replace(/^"|"$/g, ''));
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .toLowerCase()
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
