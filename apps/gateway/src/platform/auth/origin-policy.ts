import { covers, domainsCovering, normaliseHost } from './host-name.js';
import type { KeyType } from './caller.js';

export interface OriginQuestion {
  keyType: KeyType;
  /** The `Origin` that the request came from; undefined when no browser sent it. */
  origin: string | undefined;
  /** Domains that the account registered and enabled; at least those that could cover the origin. */
  registered: readonly string[];
  /** To which domains the key was narrowed; null when it was not. */
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
 * Whether a request may come from where it comes. Servers send no origin and are taken with every key. From browsers
 * a sandbox key is taken anywhere, a production key on registered domains over HTTPS; a key that was narrowed only
 * within its domains.
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

/** Which registered domains could cover these origins, so that no others need be looked up. */
export function domainsToAskFor(origins: readonly (string | undefined)[]): string[] {
  const hosts = origins.flatMap(origin => readOrigin(origin ?? '')?.host ?? []);
  return [...new Set(hosts.flatMap(domainsCovering))];
}
