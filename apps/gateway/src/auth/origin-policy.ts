import type { KeyType } from './caller.js';

export interface OriginQuestion {
  keyType: KeyType;
  /** The `Origin` that the request came from; undefined when no browser sent it. */
  origin: string | undefined;
  /** Host names that the account registered; the first label may be `*`. */
  domains: readonly string[];
}

/**
 * Whether a request may come from where it comes. A sandbox key is taken from anywhere; a production key from
 * servers, and from browsers on a registered domain over HTTPS.
 */
export function isOriginAllowed({ keyType, origin, domains }: OriginQuestion): boolean {
  switch (keyType) {
    case 'sandbox':
      return true;
    case 'production':
      return origin === undefined || isRegistered(origin, domains);
    default:
      return keyType satisfies never;
  }
}

function isRegistered(origin: string, domains: readonly string[]): boolean {
  const host = httpsHost(origin);
  return host !== undefined && domains.some(domain => covers(domain, host));
}

/** Browsers serialise an origin in one way (RFC 6454 section 6.2); any other spelling is not theirs. */
function httpsHost(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.protocol === 'https:' && url.origin === origin ? url.hostname : undefined;
}

/** `*.example.com` covers every name below `example.com`, not the name itself. */
function covers(domain: string, host: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) && host.length > domain.length - 1 : host === domain;
}

export interface OriginHeaders {
  origin?: string | undefined;
  referer?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Where a request comes from. Browsers leave `Origin` out of reads of their own origin: those are known by
 * `Sec-Fetch-Site`, which no script can set, and come from the referring page.
 */
export function requestOrigin(headers: OriginHeaders): string | undefined {
  if (headers.origin !== undefined) return headers.origin;
  if (headers['sec-fetch-site'] === undefined) return undefined;
  return headers.referer !== undefined && URL.canParse(headers.referer) ? new URL(headers.referer).origin : 'null';
}
