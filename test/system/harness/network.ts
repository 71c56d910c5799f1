import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { sweepLeftovers } from '@rtms/testing';

/** 198.18.0.0/15 is for tests of networks (RFC 2544): no real network uses these addresses. `SwitchedNetwork` has the first half. */
const firstAddress = 0xc6_13_00_00;
const addressesPerNetwork = 8;
const networks = 0x1_00_00 / addressesPerNetwork;

/**
 * A network namespace with one cable to this machine. `sweepLeftovers` deletes the namespace of a test that was killed:
 * its name has the number of the test's process.
 */
export class TestNetwork {
  /** This machine's address on the cable. Services listen there. */
  readonly hostAddress: string;
  /** A second address of this machine, which a test can block for the namespace. */
  readonly mediaAddress: string;
  /** The namespace's own address. */
  readonly address: string;
  private isOpen = true;

  private constructor(
    private readonly name: string,
    firstOfNetwork: number,
  ) {
    const [host, media, own] = [1, 2, 3].map(offset => dotted(firstOfNetwork + offset)) as [string, string, string];
    [this.hostAddress, this.mediaAddress, this.address] = [host, media, own];
  }

  /** Needs root; see `networkRefusal`. */
  static open(): TestNetwork {
    sweepLeftovers();
    const number = randomInt(networks);
    const name = `rtms-test-${process.pid}-${number}`;
    // At most 15 characters.
    const [outer, inner] = [`rtms${number}a`, `rtms${number}b`];
    const network = new TestNetwork(name, firstAddress + number * addressesPerNetwork);
    ip('netns', 'add', name);
    try {
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
      attachThisMachine(outer, [network.hostAddress, network.mediaAddress], network.address);
      ip('-n', name, 'address', 'add', `${network.address}/29`, 'dev', inner);
      ip('-n', name, 'link', 'set', 'lo', 'up');
      ip('-n', name, 'link', 'set', inner, 'up');
      // Browsers look for the address that has a default route.
      ip('-n', name, 'route', 'add', 'default', 'via', network.hostAddress);
      return network;
    } catch (error) {
      network.close();
      throw error;
    }
  }

  /** Drops all packets from the namespace to `mediaAddress`, UDP and TCP, as a firewall does. */
  blockMedia(): void {
    ip('-n', this.name, 'route', 'add', 'blackhole', `${this.mediaAddress}/32`);
  }

  /**
   * Drops packets from the namespace to a port, as a firewall does. Not all UDP: Firefox finds its own address by a UDP route to
   * the page's server.
   */
  block(protocol: 'udp' | 'tcp', port: number): void {
    this.rule('add', protocol, port);
  }

  unblock(protocol: 'udp' | 'tcp', port: number): void {
    this.rule('del', protocol, port);
  }

  private rule(change: 'add' | 'del', protocol: string, port: number): void {
    ip('-n', this.name, 'rule', change, 'ipproto', protocol, 'dport', String(port), 'blackhole');
  }

  /** Starts a program in the namespace. The kernel ends it with the test, however the test dies. */
  spawn(command: readonly string[], options: SpawnOptions): ChildProcess {
    const inside = ['ip', 'netns', 'exec', this.name, ...command];
    return spawn('setpriv', ['--pdeathsig', 'KILL', ...inside], options);
  }

  /** Can be called twice. The kernel deletes the cable with the namespace. */
  close(): void {
    if (this.isOpen) ip('netns', 'delete', this.name);
    this.isOpen = false;
  }
}

/** The reason why this machine makes no network namespaces; undefined when it does. */
export function networkRefusal(): string | undefined {
  const { status, stderr, error } = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/**
 * Lets this machine answer to addresses, without adding them to it: when an address of the machine changes, Chromium fails waiting
 * requests with ERR_NETWORK_CHANGED, also those of other tests. The kernel deletes the routes with the device.
 *
 * @param device this machine's end of a cable
 * @param addresses of this machine; it sends from the first one
 * @param others what the cable leads to: an address, or a network such as 198.18.0.0/24
 */
export function attachThisMachine(device: string, addresses: readonly [string, ...string[]], others: string): void {
  // No address of IPv6 either.
  ip('link', 'set', device, 'addrgenmode', 'none');
  ip('link', 'set', device, 'up');
  for (const address of addresses) ip('route', 'add', 'local', address, 'dev', device);
  ip('route', 'add', others, 'dev', device, 'src', addresses[0]);
}

export function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map(shift => (address >>> shift) & 0xff).join('.');
}
