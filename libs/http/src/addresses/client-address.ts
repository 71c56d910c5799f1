import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Tells whether the proxy at `address` is trusted. `hop` 0 is the peer of our socket. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

/** Finds the client's address of one request; undefined: its connection is closed. */
export type ClientOf = () => string | undefined;

/**
 * Returns the client's address behind trusted proxies (`X-Forwarded-For`), with Express's rules. For requests that
 * Express does not handle, such as upgrades.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  isTrusted: IsTrustedProxy,
): string | undefined {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const named = forwarded.split(',').map(each => each.trim());
  const hops = [socket.remoteAddress ?? '', ...named.toReversed()].filter(each => each !== '');
  return hops.find((address, hop) => !isTrusted(address, hop)) ?? hops.at(-1);
}

/**
 * Returns the name under which a client is counted: its IPv4 address, or the /64 of its IPv6 address, the smallest network
 * that a provider assigns. An IPv4-mapped IPv6 address counts as IPv4.
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain;
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const [first, last] = [head, tail ?? ''].map(part => part.split(':').filter(group => group !== ''));
  const missing = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  const groups = [...(first ?? []), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(last ?? [])];
  return groups.map(group => group.replace(/^0+(?=.)/, ''));
}
