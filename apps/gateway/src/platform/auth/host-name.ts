import { domainToASCII, domainToUnicode } from 'node:url';
import { ServiceError } from '@rtms/contracts';
import { parse } from 'tldts';

/** Letters, digits and inner hyphens (RFC 1123 section 2.1); A-labels are of this form too. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const maxCharacters = 253;
/** Everything that belongs to an address rather than to a name, and what a URL parser would decode or leave out. */
const foreignCharacters = /[\s/\\:@?#%[\]*\p{Cc}\p{Cf}]/u;

/**
 * A host name in the one form in which it is kept and compared: lower case, A-labels (IDNA), no final dot.
 * Undefined when it is none.
 */
export function normaliseHost(text: string): string | undefined {
  if (text.length > maxCharacters + 1 || foreignCharacters.test(text)) return undefined;
  const host = domainToASCII(text.replace(/\.$/, ''));
  const labels = host.split('.');
  const isName = labels.every(each => label.test(each) && isDecodable(each)) && host.length <= maxCharacters;
  // A number at the end makes an IPv4 address of it (WHATWG URL, "ends in a number").
  return isName && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? host : undefined;
}

/**
 * Whether a label is no A-label, or one that stands for a Unicode name. Node.js 24 follows the newer URL Standard, which lets
 * undecodable A-labels pass when the whole host is ASCII; Node.js 22 rejects them.
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
 * A domain that an account registers, in its kept form; the first label may be `*`. Public suffixes (`co.uk`,
 * `github.io`) belong to nobody, so neither they nor everything below them can be registered.
 */
export function readDomain(text: string): DomainReading {
  const isWildcard = text.startsWith('*.');
  const host = normaliseHost(isWildcard ? text.slice(2) : text);
  if (host === undefined) return { problem: noHostName };
  if (parse(host, { allowPrivateDomains: true }).domain === null) return { problem: publicSuffix };
  if (!isWildcard) return { domain: host };
  return host.length + 2 > maxCharacters ? { problem: noHostName } : { domain: `*.${host}` };
}

/** As `readDomain`, for what has been checked; BAD_REQUEST otherwise. */
export function normalisedDomain(text: string): string {
  const reading = readDomain(text);
  if ('problem' in reading) throw new ServiceError('invalid_request', reading.problem);
  return reading.domain;
}

/** `*.example.com` covers every name below `example.com`, not the name itself. */
export function covers(domain: string, host: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) && host.length > domain.length - 1 : host === domain;
}

/** Every domain that would cover the host; few, however many an account registered. */
export function domainsCovering(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

/** Whether whatever `domain` covers is covered by one of `others` too; `_` stands for any label, being none itself. */
export function isWithin(domain: string, others: readonly string[]): boolean {
  return others.some(other => other === domain || covers(other, domain.replace('*', '_')));
}
