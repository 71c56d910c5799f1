import { BlockList, isIP } from 'node:net';
import { bareHost, hostOf } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import { z } from 'zod';

/** `[http[s]://]host[:port]`. The host is a name, `*.name`, an address or a network. */
const entryPattern =
  /^(?:(https?):\/\/)?((?:\*\.)?[a-z0-9.-]+|[0-9.]+\/\d{1,2}|\[[0-9a-f:.]+\](?:\/\d{1,3})?)(?::(\d{1,5}))?$/;

interface Entry {
  scheme: string | undefined;
  port: string | undefined;
  matchesHost: (host: string) => boolean;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The addresses that media nodes may announce. */
export class AllowedAddresses {
  private readonly entries: readonly Entry[];

  /** Throws for a malformed entry. Keeps the texts, so that a printed configuration shows them. */
  constructor(readonly texts: readonly string[]) {
    this.entries = texts.map(toEntry);
  }

  allows(address: string): boolean {
    const url = new URL(address);
    const { protocol, port } = url;
    const host = hostOf(url);
    return this.entries.some(
      entry =>
        (entry.scheme === undefined || `${entry.scheme}:` === protocol) &&
        (entry.port === undefined || entry.port === (port || defaultPorts[protocol])) &&
        entry.matchesHost(host),
    );
  }
}

function toEntry(text: string): Entry {
  const [, scheme, host = '', port] = entryPattern.exec(text) ?? [];
  if (host === '') throw new Error(`${text} is no address`);
  return { scheme, port, matchesHost: hostMatcher(host) };
}

function hostMatcher(pattern: string): (host: string) => boolean {
  const [address = '', prefix] = pattern.split('/');
  const plain = bareHost(address);
  const family = isIP(plain);
  if (family !== 0) {
    const type = family === 4 ? 'ipv4' : 'ipv6';
    const list = new BlockList();
    list.addSubnet(plain, prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix), type);
    return host => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
  }
  if (prefix !== undefined) throw new Error(`${pattern} is no network`);
  return pattern.startsWith('*.') ? host => host.endsWith(pattern.slice(1)) : host => host === pattern;
}

/** Entries separated by commas. Empty: any address is allowed. */
export const allowedAddressesVariable = z
  .string()
  .default('')
  .transform((text, context) => {
    const texts = text.split(',').map(each => each.trim().toLowerCase());
    const entries = texts.filter(each => each !== '');
    try {
      return entries.length === 0 ? undefined : new AllowedAddresses(entries);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `must be addresses such as https://*.example.com or 10.0.0.0/8: ${messageOf(error)}`,
      });
      return z.NEVER;
    }
  });
