import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { sweepLeftovers } from '@rtms/testing';

/** 198.18.0.0/15 is for tests of networks (RFC 2544): no real network uses these addresses. */
const networks = 512;

/** A host of a `SwitchedNetwork`: a network namespace with one cable to the switch. */
export interface Host {
  readonly address: string;
  /** The command that runs a program on the host. */
  readonly around: readonly string[];
  /** Drops all packets from and to the host. */
  cut(): void;
  mend(): void;
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
      refuse: refused => ip('-n', name, 'route', 'add', 'blackhole', `${refused}/32`),
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
    return `198.${18 + (this.number >> 8)}.${this.number & 0xff}.${host}`;
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
    for (const address of [this.address, this.otherAddress]) ip('address', 'add', `${address}/24`, 'dev', cable);
    ip('link', 'set', cable, 'up');
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
