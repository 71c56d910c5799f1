import { crossOrigin } from '@rtms/http';
import type { RequestHandler } from 'express';
import { covers, domainsCovering, normaliseHost } from './host-name.js';
import type { KeyType } from './caller.js';

export interface OriginQuestion {
  keyType: KeyType;
  /** The origin of the request; undefined when no browser sent it. */
  origin: string | undefined;
  /** Enabled domains of the account; at least those that could cover the origin. */
  registered: readonly string[];
  /** The only domains of a narrowed key; null: the key is not narrowed. */
  narrowing: readonly string[] | null;
}

interface WebOrigin {
  isSecure: boolean;
  host: string;
}

/** `https://host`, with any port; no user information, path or query. */
const webOrigin = /^(https?):\/\/([^/?#@:]+)(?::\d{1,5})?$/i;

function readOrigin(origin: string): WebOrigin | undefined {
  const [, scheme, name] = webOrigin.exec(origin) ?? [];
  const host = normaliseHost(name ?? '');
  return host === undefined ? undefined : { isSecure: scheme?.toLowerCase() === 'https', host };
}

/**
 * Returns whether the key may be used from this origin. Servers send no origin and may use every key. In browsers a sandbox key works
 * everywhere, and a production key works over HTTPS on registered domains. A narrowed key works within its domains only.
 */
export function isOriginAllowed({ keyType, origin, registered, narrowing }: OriginQuestion): boolean {
  if (origin === undefined) return true;
  const web = readOrigin(origin);
  const isWithin = (domains: readonly string[]) => web !== undefined && domains.some(each => covers(each, web.host));
  if (narrowing && !isWithin(narrowing)) return false;
  switch (keyType) {
    case 'sandbox':
      return true;
    case 'production':
      return web?.isSecure === true && isWithin(registered);
    default:
      return keyType satisfies never;
  }
}

/** Returns the domains that could cover these origins, so that only these are looked up. */
export function domainsToAskFor(origins: readonly (string | undefined)[]): string[] {
  const hosts = origins.flatMap(origin => readOrigin(origin ?? '')?.host ?? []);
  return [...new Set(hosts.flatMap(domainsCovering))];
}

/** Keeps caches from giving the answer for one origin to another origin. */
export const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * Allows a preflight from every origin, because a preflight has no key. For the request itself the authenticator knows the type of
 * the key and takes the permission back if the policy refuses the origin.
 */
export const cors = crossOrigin({
  origin: 'requesting',
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  requestHeaders: 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, X-Service-Response',
  responseHeaders:
    'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Link, X-Total-Count, Location, ETag, Accept-Patch',
  // The longest time that Chromium caches a preflight.
  maxAgeSeconds: 7200,
  preflight: 'here',
});
