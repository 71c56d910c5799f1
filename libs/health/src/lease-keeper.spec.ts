import { jest } from '@jest/globals';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { EventLog, ManualClock } from '@rtms/testing';
import { LeaseKeeper } from './lease-keeper.js';
import { sampleLease as lease } from './testing/sample-lease.js';

async function start(current: () => NodeLease = () => lease) {
  const broker = new MemoryBroker();
  const bus = new MemoryBus(broker);
  const store = await new MemoryBus(broker).keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  const clock = new ManualClock();
  const keeper = new LeaseKeeper(bus, current, clock);
  await keeper.start();
  const written = new EventLog<NodeLease | undefined>();
  await store.watch(({ value }) => written.add(value));
  written.all.length = 0;
  return { bus, clock, keeper, store, written };
}

describe('LeaseKeeper', () => {
  it('stores the lease before the start is done', async () => {
    const { keeper, store } = await start();
    expect(await store.get('sfu.sfu-1')).toEqual(lease);
    await keeper.close();
  });

  it('asks the bus to drop the lease 5 s after its last renewal', async () => {
    const bus = new MemoryBus();
    const keyValue = jest.spyOn(bus, 'keyValue');
    const keeper = new LeaseKeeper(bus, () => lease, new ManualClock());
    await keeper.start();
    expect(keyValue).toHaveBeenCalledWith(leaseBucket, { ttlSeconds: 5 });
    await keeper.close();
  });

  it('renews the lease each second with the current load', async () => {
    let load = 0;
    const { clock, keeper, written } = await start(() => ({ ...lease, load }));
    load = 7;
    await clock.advance(999);
    expect(written.all).toEqual([]);
    await clock.advance(1);
    expect(written.all).toEqual([{ ...lease, load: 7 }]);
    await clock.advance(3_000);
    expect(written.length).toBe(4);
    await keeper.close();
  });

  it('deletes the lease when it closes, and renews it no more', async () => {
    const { clock, keeper, store, written } = await start();
    await keeper.close();
    await keeper.close();
    expect(await store.get('sfu.sfu-1')).toBeUndefined();
    await keeper.renew();
    await clock.advance(10_000);
    expect(written.all).toEqual([undefined]);
    expect(clock.pending).toBe(0);
  });

  it('renews the lease when the bus comes back, without waiting for the next second', async () => {
    const { bus, keeper, store, written } = await start();
    bus.disconnect();
    await store.delete('sfu.sfu-1');
    bus.reconnect();
    expect(await written.find(value => value !== undefined)).toEqual(lease);
    await keeper.close();
  });

  it('goes on renewing after an outage', async () => {
    const { bus, clock, keeper, written } = await start();
    bus.disconnect();
    await clock.advance(5_000);
    expect(written.all).toEqual([]);
    bus.reconnect();
    await written.atLeast(1);
    await clock.advance(1_000);
    expect(written.length).toBe(2);
    await keeper.close();
  });

  it('closes during an outage', async () => {
    const { bus, keeper } = await start();
    bus.disconnect();
    await expect(keeper.close()).resolves.toBeUndefined();
  });
});
