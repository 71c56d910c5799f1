import { domainToASCII, domainToUnicode } from 'node:url';
import { ServiceError } from '@rtms/contracts';
import { parse } from 'tldts';

/** Letters, digits and inner hyphens (RFC 1123 section 2.1). A-labels have this form too. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const maxCharacters = 253;
/** Characters of addresses instead of names, and characters that a URL parser would decode or remove. */
const foreignCharacters = /[\s/\\:@?#%[\]*\p{Cc}\p{Cf}]/u;

/** Returns the canonical form of a host name: lower case, A-labels (IDNA), no final dot. Returns undefined for an invalid name. */
export function normaliseHost(text: string): string | undefined {
  if (text.length > maxCharacters + 1 || foreignCharacters.test(text)) return undefined;
  const host = domainToASCII(text.replace(/\.$/, ''));
  const labels = host.split('.');
  const isName = labels.every(each => label.test(each) && isDecodable(each)) && host.length <= maxCharacters;
  // A name that ends in a number is an IPv4 address (WHATWG URL, "ends in a number").
  return isName && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? host : undefined;
}

/**
 * Refuses A-labels that have no Unicode form. Node.js 24 follows the newer URL Standard, which accepts them in a host of ASCII
 * characters. Node.js 22 rejects them.
 */
function isDecodable(text: string): boolean {
  if (!text.startsWith('xn--')) return true;
  const unicode = domainToUnicode(text);
  return unicode !== text && domainToASCII(unicode) === text;
}

export type DomainReading = { domain: string } | { problem: string };

const noHostName = 'Domain must be a host name such as app.example.com, without scheme, path or port.';
const publicSuffix =
  'Domain must be a name below a public suffix: registering the suffix itself would let strangers in.';

/**
 * Reads a domain that an account registers and returns its canonical form. The first label may be `*`. Public suffixes (`co.uk`,
 * `github.io`) belong to nobody, so an account can register neither a suffix nor all names below it.
 */
export function readDomain(text: string): DomainReading {
  const isWildcard = text.startsWith('*.');
  const host = normaliseHost(isWildcard ? text.slice(2) : text);
  if (host === undefined) return { problem: noHostName };
  if (parse(host, { allowPrivateDomains: true }).domain === null) return { problem: publicSuffix };
  if (!isWildcard) return { domain: host };
  return host.length + 2 > maxCharacters ? { problem: noHostName } : { domain: `*.${host}` };
}

/** As `readDomain`, but throws BAD_REQUEST for an invalid domain. */
export function normalisedDomain(text: string): string {
  const reading = readDomain(text);
  if ('problem' in reading) throw new ServiceError('invalid_request', reading.problem);
  return reading.domain;
}

/** `*.example.com` covers every name below `example.com`, but not `example.com`. */
export function covers(domain: string, host: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) && host.length > domain.length - 1 : host === domain;
}

/** Returns each domain that would cover the host. Their number depends on the host only, not on the account. */
export function domainsCovering(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

/** Returns whether one of `others` covers every name that `domain` covers. `_` is no valid label, so it represents any label. */
export function isWithin(domain: string, others: readonly string[]): boolean {
  return others.some(other => covers(other, domain.replace('*', '_')));
}
