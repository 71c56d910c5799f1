import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { sweepLeftovers } from '@rtms/testing';
import { attachThisMachine, ip } from '../system/harness/network.js';

/** 198.18.0.0/15 is for tests of networks (RFC 2544): no real network uses these addresses. `TestNetwork` has the second half. */
const networks = 256;

/** A host of a `SwitchedNetwork`: a network namespace with one cable to the switch. */
export interface Host {
  readonly address: string;
  /** The command that runs a program on the host. */
  readonly around: readonly string[];
  /** Drops all packets from and to the host. */
  cut(): void;
  mend(): void;
  /**
   * Sends at most as much as `tc qdisc … tbf` with these arguments lets through, from the host or to it; undefined: everything. The
   * kernel drops the rest.
   */
  slow(way: 'from' | 'to', tbf: string | undefined): void;
  /** Sends no packet to the address, so that only a relay reaches the host from there. */
  refuse(address: string): void;
}

/**
 * Hosts on one switch, and this machine beside them at `address`. The switch is a namespace too, so `sweepLeftovers` deletes
 * the network of a run that was killed.
 */
export class SwitchedNetwork {
  readonly address: string;
  /** A second address of this machine. */
  readonly otherAddress: string;
  private readonly names: string[] = [];
  private cables = 0;
  private readonly prefix = `rtms-test-${process.pid}`;
  private readonly number = randomInt(networks);

  private constructor() {
    this.address = this.addressOf(1);
    this.otherAddress = this.addressOf(254);
  }

  /** Needs root; see `networkRefusal`. */
  static open(): SwitchedNetwork {
    sweepLeftovers();
    const network = new SwitchedNetwork();
    try {
      network.addSwitch();
      return network;
    } catch (error) {
      network.close();
      throw error;
    }
  }

  addHost(): Host {
    const number = this.names.length;
    const [name, port] = [`${this.prefix}-host${number}`, `port${number}`];
    const address = this.addressOf(1 + number);
    const lan = this.switchName;
    ip('netns', 'add', name);
    this.names.push(name);
    ip('-n', lan, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('-n', lan, 'link', 'set', port, 'master', 'lan', 'up');
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
    return {
      address,
      around: ['ip', 'netns', 'exec', name],
      // Outside the bridge the port drops all frames, and the host keeps its carrier.
      cut: () => ip('-n', lan, 'link', 'set', port, 'nomaster'),
      mend: () => ip('-n', lan, 'link', 'set', port, 'master', 'lan'),
      slow: (way, tbf) => {
        const device = way === 'from' ? ['-n', name, 'dev', 'eth0'] : ['-n', lan, 'dev', port];
        slowDown(device, tbf);
      },
      refuse: refused => ip('-n', name, 'route', 'add', 'blackhole', `${refused}/32`),
    };
  }

  /** Adds a second cable for packets between two hosts. The result is the first host as reached by the second one on this cable. */
  addCable(host: Host, address: string, other: Host): Host {
    const name = host.around.at(-1) ?? '';
    const port = `cable${this.cables++}`;
    const lan = this.switchName;
    ip('-n', lan, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth1', 'netns', name);
    ip('-n', lan, 'link', 'set', port, 'master', 'lan', 'up');
    ip('-n', name, 'address', 'add', `${address}/32`, 'dev', 'eth1');
    ip('-n', name, 'link', 'set', 'eth1', 'up');
    ip('-n', name, 'route', 'add', `${other.address}/32`, 'dev', 'eth1', 'src', address);
    ip('-n', other.around.at(-1) ?? '', 'route', 'add', `${address}/32`, 'dev', 'eth0');
    // Each cable answers for its own address only.
    const settings = ['conf.all.rp_filter=0', 'conf.eth1.rp_filter=0', 'conf.all.arp_ignore=1'];
    for (const setting of settings) {
      const [path = '', value = ''] = setting.split('=');
      const file = `/proc/sys/net/ipv4/${path.replaceAll('.', '/')}`;
      execFileSync('ip', ['netns', 'exec', name, 'sh', '-c', `echo ${value} > ${file}`]);
    }
    return {
      ...host,
      address,
      slow: (_way, tbf) => slowDown(['-n', lan, 'dev', port], tbf),
    };
  }

  /** Safe to call twice. The kernel deletes the cables with the namespaces. */
  close(): void {
    for (const name of this.names.splice(0)) ip('netns', 'delete', name);
  }

  private get switchName(): string {
    return `${this.prefix}-switch`;
  }

  private addressOf(host: number): string {
    return `198.18.${this.number}.${host}`;
  }

  private addSwitch(): void {
    const cable = `rtms${this.number}s`;
    const lan = this.switchName;
    ip('netns', 'add', lan);
    this.names.push(lan);
    ip('-n', lan, 'link', 'add', 'lan', 'type', 'bridge');
    ip('-n', lan, 'link', 'set', 'lan', 'up');
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'port0', 'netns', lan);
    ip('-n', lan, 'link', 'set', 'port0', 'master', 'lan', 'up');
    attachThisMachine(cable, [this.address, this.otherAddress], `${this.addressOf(0)}/24`);
  }
}

function slowDown([flag = '', namespace = '', ...device]: readonly string[], tbf: string | undefined): void {
  const tc = (...args: string[]): void => {
    execFileSync('tc', [flag, namespace, 'qdisc', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  if (tbf === undefined) tc('del', ...device, 'root');
  else tc('replace', ...device, 'root', 'tbf', ...tbf.split(' '));
}
