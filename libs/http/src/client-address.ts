import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Whether what an address says of the one before it is believed; `hop` counts from our side. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

/** As Express has it, for requests that it does not see: behind proxies that are trusted, whom the last of them names. */
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
 * What counts as one client: an IPv4 address, or the /64 that one IPv6 customer has at least. An IPv4 address that
 * arrives on an IPv6 socket is the IPv4 address.
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
