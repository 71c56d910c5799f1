import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { LeaseKeeper } from './lease-keeper.js';

const lease: NodeLease = {
  nodeID: 'sfu-1',
  role: 'sfu',
  epoch: 1,
  publicUrl: 'http://127.0.0.1:4001',
  internalUrl: 'http://127.0.0.1:4001',
  load: 0,
  capacity: 400,
  draining: false,
};

async function start(current: () => NodeLease = () => lease) {
  const broker = new MemoryBroker();
  const bus = new MemoryBus(broker);
  const store = await new MemoryBus(broker).keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  const keeper = new LeaseKeeper(bus, current);
  await keeper.start();
  return { bus, keeper, store };
}

describe('LeaseKeeper', () => {
  it('announces the node as soon as it has started', async () => {
    const { keeper, store } = await start();
    expect(await store.get('sfu.sfu-1')).toEqual(lease);
    await keeper.close();
  });

  it('renews with the load of the moment', async () => {
    let load = 0;
    const { keeper, store } = await start(() => ({ ...lease, load }));
    load = 7;
    await waitFor(async () => (await store.get('sfu.sfu-1'))?.load === 7);
    await keeper.close();
  });

  it('takes the lease back when it closes', async () => {
    const { keeper, store } = await start();
    await keeper.close();
    await keeper.close();
    expect(await store.get('sfu.sfu-1')).toBeUndefined();
  });

  it('announces the node at once after an outage', async () => {
    const { bus, keeper, store } = await start();
    bus.disconnect();
    await store.delete('sfu.sfu-1');
    bus.reconnect();
    await waitFor(() => store.get('sfu.sfu-1'), { timeoutMs: 500 });
    await keeper.close();
  });

  it('closes during an outage', async () => {
    const { bus, keeper } = await start();
    bus.disconnect();
    await expect(keeper.close()).resolves.toBeUndefined();
  });
});
