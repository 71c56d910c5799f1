import { MemoryBroker, MemoryBus, type Closeable, type KeyValueStore } from '@rtms/bus';
import { leaseBucket, leaseKey, sfuCommands, type NodeLease } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import type { GatewayConfig } from '../../gateway.config.js';
import { mediaSettingsOf } from '../../platform/runtime/media-settings.js';
import { AllowedAddresses } from './allowed-addresses.js';
import { NodeRegistry } from './node-registry.js';

/** The interval at which the gateway checks for lapsed leases. */
const lookMs = 250;
const leaseMs = 5_000;

const nodeAddresses = { public: new AllowedAddresses(['sfu-1', '*.example.com']) };

const lease: NodeLease = {
  nodeID: 'sfu-1',
  role: 'sfu',
  epoch: 1,
  publicUrl: 'http://sfu-1',
  internalUrl: 'http://sfu-1',
  load: 0,
  capacity: 10,
  draining: false,
};

/** A bus that can lose its watches or stop answering while the connection stays. */
class FaultyBus extends MemoryBus {
  isSilent = false;
  /** The number of watches opened so far. */
  watches = 0;
  private lost = new AbortController();

  loseWatches(): void {
    this.lost.abort();
    this.lost = new AbortController();
  }

  override async keyValue<Value>(bucket: string, options?: { ttlSeconds?: number }): Promise<KeyValueStore<Value>> {
    if (this.isSilent) throw new Error('timeout');
    const store = await super.keyValue<Value>(bucket, options);
    const watch = store.watch.bind(store);
    return Object.assign(store, {
      watch: (onEntry: Parameters<typeof watch>[0]) => {
        const { signal } = this.lost;
        this.watches += 1;
        return watch(entry => {
          if (!signal.aborted) onEntry(entry);
        });
      },
    });
  }
}

describe('NodeRegistry', () => {
  let clock: ManualClock;
  let bus: FaultyBus;
  let node: MemoryBus;
  let registry: NodeRegistry;
  let changes: string[];

  const announce = async (changes: Partial<NodeLease> = {}): Promise<void> => {
    await (await node.keyValue<NodeLease>(leaseBucket)).put(leaseKey(lease), { ...lease, ...changes });
  };
  const isKnown = (): boolean => registry.find('sfu', 'sfu-1') !== undefined;

  beforeEach(async () => {
    clock = new ManualClock();
    const broker = new MemoryBroker(clock);
    [bus, node] = [new FaultyBus(broker), new MemoryBus(broker)];
    // The default lease time.
    registry = new NodeRegistry(bus, mediaSettingsOf({} as GatewayConfig), { nodeAddresses }, clock);
    changes = [];
    registry.onChange(change => changes.push(change.kind));
    registry.onApplicationBootstrap();
    await clock.settled();
  });
  afterEach(() => registry.onApplicationShutdown());

  it('keeps a node for 5 s after its last lease, and reports it lost at the next check', async () => {
    await announce();
    await clock.advance(leaseMs);
    expect([isKnown(), changes]).toEqual([true, ['appeared']]);
    await clock.advance(lookMs);
    expect([isKnown(), changes]).toEqual([false, ['appeared', 'lost', 'settled']]);
  });

  describe('beside another node', () => {
    let beside: Closeable[];

    /** Another node renews its lease each second, and so does `sfu-1` while `isAlive`. */
    async function run(seconds: number, isAlive: boolean): Promise<void> {
      for (let second = 0; second < seconds; second += 1) {
        await (await node.keyValue<NodeLease>(leaseBucket)).put('sfu.sfu-2', { ...lease, nodeID: 'sfu-2' });
        if (isAlive) await announce();
        await clock.advance(1_000);
      }
    }

    beforeEach(async () => {
      beside = [await node.respond(sfuCommands.inventory.forNode('sfu-2'), () => Promise.reject(new Error('busy')))];
      await run(3, true);
    });
    afterEach(() => Promise.all(beside.map(each => each.close())));

    it('reports a node that left the bus lost within 3 s of its last lease', async () => {
      await run(1, false);
      expect(isKnown()).toBe(true);
      await run(1, false);
      expect([isKnown(), changes]).toEqual([false, ['appeared', 'appeared', 'lost']]);
    });

    it('keeps the lease time of a node that still answers', async () => {
      beside.push(await node.respond(sfuCommands.inventory.forNode('sfu-1'), () => Promise.reject(new Error('busy'))));
      await run(4, false);
      expect(isKnown()).toBe(true);
      await run(2, false);
      expect(isKnown()).toBe(false);
    });

    it('reports a node that answers nothing for two seconds lost within four seconds of its last lease', async () => {
      beside.push(await node.respond(sfuCommands.inventory.forNode('sfu-1'), () => new Promise(() => undefined)));
      await run(2, false);
      expect(isKnown()).toBe(true);
      await run(1, false);
      expect([isKnown(), changes]).toEqual([false, ['appeared', 'appeared', 'settled', 'lost']]);
    });

    it('keeps the lease time of a silent node whose work no other node can take', async () => {
      beside.push(await node.respond(sfuCommands.inventory.forNode('sfu-1'), () => new Promise(() => undefined)));
      for (let second = 0; second < 4; second += 1) {
        const draining = { ...lease, nodeID: 'sfu-2', draining: true };
        await (await node.keyValue<NodeLease>(leaseBucket)).put('sfu.sfu-2', draining);
        await clock.advance(1_000);
      }
      expect(isKnown()).toBe(true);
      await clock.advance(2_000);
      expect(isKnown()).toBe(false);
    });

    it('keeps the lease time of two nodes that fall silent together', async () => {
      for (const nodeID of ['sfu-1', 'sfu-3']) {
        const hung = await node.respond(sfuCommands.inventory.forNode(nodeID), () => new Promise(() => undefined));
        beside.push(hung);
        await (await node.keyValue<NodeLease>(leaseBucket)).put(`sfu.${nodeID}`, { ...lease, nodeID });
      }
      await run(5, false);
      expect([isKnown(), registry.find('sfu', 'sfu-3')]).toEqual([true, expect.any(Object)]);
      await run(1, false);
      expect([isKnown(), registry.find('sfu', 'sfu-3')]).toEqual([false, undefined]);
    });

    it('gives up an answer of a node as soon as the node is lost', async () => {
      const given = await registry.whileAlive(lease, Promise.resolve('inventory'));
      const other = registry.whileAlive({ ...lease, nodeID: 'sfu-2' }, new Promise(() => undefined));
      const isPending = Promise.race([other, Promise.resolve('pending')]);
      const asked = registry.whileAlive(lease, new Promise(() => undefined));
      const failure = asked.catch((error: unknown) => error);
      await run(2, false);
      expect([given, await failure, await isPending]).toEqual(['inventory', expect.any(Error), 'pending']);
    });

    it('keeps a node that answers nothing and renews its lease late', async () => {
      beside.push(await node.respond(sfuCommands.inventory.forNode('sfu-1'), () => new Promise(() => undefined)));
      await run(2, false);
      await run(4, true);
      expect(isKnown()).toBe(true);
    });

    it('keeps a node that is back on the bus before the second question', async () => {
      // The first question came 1.75 s after the last lease.
      await run(1, false);
      await run(3, true);
      expect([isKnown(), changes]).toEqual([true, ['appeared', 'appeared', 'settled']]);
    });
  });

  it('ignores addresses that a node may not announce', async () => {
    await announce({ publicUrl: 'https://evil.example' });
    await clock.settled();
    expect(isKnown()).toBe(false);
    await announce();
    await clock.settled();
    await announce({ publicUrl: 'https://evil.example' });
    await clock.settled();
    expect(registry.find('sfu', 'sfu-1')?.publicUrl).toBe('http://sfu-1');
  });

  it('keeps a node that renews its lease each second', async () => {
    for (let second = 0; second < 12; second += 1) {
      await announce();
      await clock.advance(1_000);
    }
    expect(isKnown()).toBe(true);
  });

  it('takes a node without a lease for dead only after every node had 5 s to announce itself', async () => {
    await clock.advance(leaseMs);
    expect([registry.isSettled(), changes]).toEqual([false, []]);
    await clock.advance(lookMs);
    expect([registry.isSettled(), changes]).toEqual([true, ['settled']]);
  });

  it('loses no node during an outage of the bus, and gives each node 5 s after it', async () => {
    await announce();
    await clock.advance(leaseMs);
    bus.disconnect();
    await clock.advance(60_000);
    expect([isKnown(), registry.isSettled()]).toEqual([true, false]);
    bus.reconnect();
    await clock.advance(leaseMs);
    expect([isKnown(), registry.isSettled()]).toEqual([true, false]);
    await clock.advance(lookMs);
    expect([isKnown(), registry.isSettled()]).toEqual([false, true]);
  });

  it('keeps the nodes when its watch is lost, and finds new nodes', async () => {
    await announce();
    await clock.settled();
    bus.loseWatches();
    for (let second = 0; second < 12; second += 1) {
      await announce();
      await clock.advance(1_000);
    }
    expect([isKnown(), changes]).toEqual([true, ['appeared', 'settled']]);
    bus.loseWatches();
    await announce({ epoch: 2 });
    await clock.advance(leaseMs);
    expect(changes.slice(2)).toEqual(['restarted']);
  });

  it('does not take a lease that it reads again as a sign of life', async () => {
    await announce();
    await clock.settled();
    bus.loseWatches();
    await clock.advance(1_000);
    await announce();
    await clock.advance(3_000);
    bus.loseWatches();
    // The renewal was read at 3 s.
    await clock.advance(4_000);
    expect(isKnown()).toBe(true);
    await clock.advance(lookMs);
    expect(isKnown()).toBe(false);
  });

  it('opens watches less and less often while there is no node', async () => {
    const before = bus.watches;
    await clock.advance(3_600_000);
    expect(bus.watches - before).toBeLessThan(70);
    await announce();
    await clock.settled();
    expect(isKnown()).toBe(true);
  });

  it('loses no node while the bus does not answer, and gives each node 5 s after that', async () => {
    await announce();
    bus.isSilent = true;
    await clock.advance(60_000);
    expect([isKnown(), registry.isSettled()]).toEqual([true, false]);
    bus.isSilent = false;
    await clock.advance(leaseMs);
    expect(isKnown()).toBe(true);
    await clock.advance(leaseMs);
    expect(isKnown()).toBe(false);
  });

  it('loses no node because its own process was blocked, and gives each node 5 s after it', async () => {
    await announce();
    await clock.settled();
    clock.stall(60_000);
    await clock.advance(leaseMs);
    expect([isKnown(), changes]).toEqual([true, ['appeared', 'settled']]);
    await clock.advance(lookMs);
    expect(isKnown()).toBe(false);
  });

  it('leaves no timer after its shutdown', async () => {
    await registry.onApplicationShutdown();
    expect(clock.pending).toBe(0);
  });
});
