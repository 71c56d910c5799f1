import { isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import type { Clock, Timer } from '@rtms/clock';

/** The address where media sockets listen, and the address in candidates. */
export interface ListenAddress {
  ip: string;
  announcedAddress?: string;
}

export interface ListenSettings {
  /** `RTC_LISTEN_IP`; default: loopback. */
  listenIp?: string;
  /** `RTC_ANNOUNCED_ADDRESS`; an IP address or host name that peers can reach. */
  announcedAddress?: string;
}

/** The machine's addresses other than loopback, and whether it is a container with its own address. */
export interface MachineAddresses {
  addresses: string[];
  container: boolean;
}

/** The settings do not say which address peers can reach. */
class AmbiguousAddressError extends Error {
  constructor(reason: string, candidates: string[]) {
    const found = candidates.length > 0 ? ` Addresses of this machine: ${candidates.join(', ')}.` : '';
    super(`${reason} Set RTC_ANNOUNCED_ADDRESS to the address that publishers and viewers reach.${found}`);
    this.name = 'AmbiguousAddressError';
  }
}

function isUnspecified(ip: string): boolean {
  return ip === '0.0.0.0' || /^[0:]*$/.test(ip);
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

/** Throws unless candidates get an address that peers can reach: a wrong address would fail only at the first viewer. */
export function resolveListenAddress(settings: ListenSettings, machine: MachineAddresses): ListenAddress {
  const ip = settings.listenIp ?? (settings.announcedAddress ? '0.0.0.0' : '127.0.0.1');
  if (isIP(ip) === 0) throw new Error(`RTC_LISTEN_IP is not an IP address: ${ip}.`);
  if (settings.announcedAddress) return { ip, announcedAddress: settings.announcedAddress };
  if (isUnspecified(ip)) {
    throw new AmbiguousAddressError(`RTC_LISTEN_IP is ${ip}, which is not an address to send to.`, machine.addresses);
  }
  if (machine.container && !isLoopback(ip)) {
    throw new AmbiguousAddressError(`${ip} is a container's own address.`, machine.addresses);
  }
  return { ip };
}

const withinMs = 2_000;

/** Resolves a host by `resolver` to an IP address of the same family as `listenIp`. Rejects after 2 s. */
export async function resolveAddress(
  host: string,
  listenIp: string,
  clock: Clock,
  resolver: (host: string, options: { family: number }) => Promise<{ address: string }> = lookup,
): Promise<string> {
  if (isIP(host) !== 0) return host;
  let timer: Timer | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = clock.after(withinMs, () => reject(new Error(`DNS did not resolve ${host} within ${withinMs} ms.`)));
  });
  try {
    return (await Promise.race([resolver(host, { family: isIP(listenIp) }), tooLate])).address;
  } finally {
    timer?.cancel();
  }
}

/** Why other nodes cannot send media to the relay address of this node; undefined if they can. */
export function relayAddressFault(media: ListenSettings & { relayAddress?: string | undefined }): string | undefined {
  const listening = media.listenIp ?? (media.announcedAddress ? '0.0.0.0' : '127.0.0.1');
  const address = media.relayAddress ?? listening;
  if (isUnspecified(address)) return `${address} is not an address to send to`;
  if (isOfThisMachine(address) && !isOfThisMachine(media.announcedAddress ?? listening))
    return `${address} is this machine alone, but media is announced elsewhere`;
  return undefined;
}

function isOfThisMachine(address: string): boolean {
  return address === 'localhost' || isLoopback(address);
}
