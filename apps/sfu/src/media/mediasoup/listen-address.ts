import { isIP } from 'node:net';

/** Where media sockets listen and which address candidates show. */
export interface ListenAddress {
  ip: string;
  announcedAddress?: string;
}

export interface ListenSettings {
  /** `RTC_LISTEN_IP`; loopback when left out. */
  listenIp?: string;
  /** `RTC_ANNOUNCED_ADDRESS`; an IP address or host name that peers reach. */
  announcedAddress?: string;
}

/** What the machine has: its addresses other than loopback, and whether it is a container with an address of its own. */
export interface MachineAddresses {
  addresses: string[];
  container: boolean;
}

/** The settings leave open which address peers would reach. */
export class AmbiguousAddressError extends Error {
  constructor(reason: string, candidates: string[]) {
    const found = candidates.length > 0 ? ` Addresses of this machine: ${candidates.join(', ')}.` : '';
    super(`${reason} Set RTC_ANNOUNCED_ADDRESS to the address that publishers and viewers reach.${found}`);
    this.name = 'AmbiguousAddressError';
  }
}

export function isUnspecified(ip: string): boolean {
  return ip === '0.0.0.0' || /^[0:]*$/.test(ip);
}

export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

/** Candidates show an address that peers can use, or nothing starts: a wrong one fails only at the first viewer. */
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
