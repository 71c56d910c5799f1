import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { ServiceError } from '@rtms/contracts';
import ipaddr from 'ipaddr.js';

/** Rules for addresses that a caller names, and to which this service connects. */
export interface TargetRules {
  /** Private addresses are allowed, and https is not required. */
  allowsPrivate?: boolean;
}

/** Returns all addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Asks name servers without a thread of libuv, so that servers that never answer delay no other work. */
const nameServers = new Resolver({ timeout: 2_000, tries: 2 });
const systemLookupAll = promisify(systemLookup);

/** Only development reads the hosts file of the system, for names such as `localhost`. */
export function resolverFor({ allowsPrivate = false }: TargetRules): Resolve {
  return allowsPrivate ? host => systemLookupAll(host, { all: true, verbatim: true }) : resolveWith(nameServers);
}

/** Joins the addresses of both families. A host may lack one of them. */
export function resolveWith(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): Resolve {
  return async host => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [
      ...(v4.status === 'fulfilled' ? v4.value : []).map(address => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map(address => ({ address, family: 6 })),
    ];
  };
}

/** Public addresses of clouds that answer only the virtual machines themselves. */
const cloudInternal = ['168.63.129.16'];
/** All public IPv6 addresses are in this network (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is on the public internet: not private, loopback, link-local (with the metadata of clouds), shared (CGNAT),
 * multicast, reserved, nor IPv6 with an IPv4 address inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || cloudInternal.includes(text)) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** A host without the brackets of an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** The host of a URL without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return bareHost(url.hostname);
}

/** Whether a host is a private address, or a name for the own machine. Other names are checked when they are resolved for a connection. */
export function isPrivateHost(host: string): boolean {
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/i.test(host) : !isPublicAddress(host);
}

/** Throws BAD_REQUEST for http, and for a private address as host. Names are checked when they are resolved for a connection. */
export function requireTarget(text: string, { allowsPrivate = false }: TargetRules, field = 'url'): void {
  if (allowsPrivate) return;
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new ServiceError('invalid_request', `${field} must be an https address.`);
  if (isPrivateHost(hostOf(url)))
    throw new ServiceError('invalid_request', `${field} must be a public address, not one of a private network.`);
}

/** Code of the error for a name with a private address. */
export const privateAddress = 'EPRIVATE';
/** Code of the error for a name without an address of the wanted family, as of Node.js. */
export const noAddress = 'ENOTFOUND';

/**
 * A `lookup` for a connection. Node.js connects to the addresses that it returns, so a name cannot change its address after the check.
 * A name with one private address is refused as a whole.
 */
export function checkedLookup(resolve: Resolve, { allowsPrivate = false }: TargetRules): LookupFunction {
  return (host: string, { all, family }: LookupOptions, done) => {
    const wanted = family === 4 || family === 6 ? family : undefined;
    resolve(host).then(
      found => {
        const addresses = found.filter(each => wanted === undefined || each.family === wanted);
        const [first] = addresses;
        if (!first) return done(Object.assign(new Error('the host has no address'), { code: noAddress }), '');
        if (!allowsPrivate && !found.every(({ address }) => isPublicAddress(address)))
          return done(hasPrivateAddress(), '');
        if (all === true) return done(null, addresses);
        return done(null, first.address, first.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}

/**
 * Returns an address of a host for a program that connects by itself, so that a name cannot change its address after the check.
 * Rejects with the code `EPRIVATE` for a private address, and with that of the resolver for an unknown name.
 */
export async function resolveAllowed(host: string, rules: TargetRules, resolve?: Resolve): Promise<string> {
  if (isIP(host) !== 0) {
    if (rules.allowsPrivate !== true && !isPublicAddress(host)) throw hasPrivateAddress();
    return host;
  }
  const lookup = checkedLookup(resolve ?? resolverFor(rules), rules);
  return new Promise((done, fail) => {
    lookup(host, {}, (error, address) => {
      if (error) fail(error);
      else done(typeof address === 'string' ? address : (address[0]?.address ?? ''));
    });
  });
}

function hasPrivateAddress(): Error {
  return Object.assign(new Error('the host has a private address'), { code: privateAddress });
}
