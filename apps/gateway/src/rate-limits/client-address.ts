import { isIPv6 } from 'node:net';

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
