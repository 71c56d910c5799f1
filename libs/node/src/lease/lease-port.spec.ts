import { jest } from '@jest/globals';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { EventLog, ManualClock } from '@rtms/testing';
import { LeaseDelegate, type LeaseNews, type LeaseOrder } from './lease-port.js';
import { sampleLease as lease } from './testing/sample-lease.js';

/** A delegate on the same event loop, and the lease in the bucket. */
async function start() {
  const clock = new ManualClock();
  const broker = new MemoryBroker(clock);
  const store = await new MemoryBus(broker).keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  const bus = new MemoryBus(broker);
  const news = new EventLog<LeaseNews | { kind: 'closed' }>();
  let order: (order: LeaseOrder) => void = () => undefined;
  const port = {
    on: (_event: 'message', listener: typeof order) => (order = listener),
    postMessage: (each: LeaseNews) => news.add(each),
    close: () => news.add({ kind: 'closed' }),
  };
  new LeaseDelegate(port, bus, clock);
  const stored = () => store.get('sfu.sfu-1');
  return { bus, clock, news, stored, say: (each: LeaseOrder) => order(each) };
}

describe('LeaseDelegate', () => {
  it('reports that the lease is stored', async () => {
    const { clock, news, say, stored } = await start();
    say({ kind: 'store', lease, id: 1 });
    await clock.settled();
    expect(news.all).toEqual([{ kind: 'stored', id: 1 }]);
    expect(await stored()).toEqual(lease);
  });

  it('renews the lease with the last values while the service is busy', async () => {
    const { clock, say, stored } = await start();
    say({ kind: 'store', lease, id: 1 });
    await clock.settled();
    say({ kind: 'lease', lease: { ...lease, load: 7 } });
    await clock.advance(60_000);
    expect(await stored()).toEqual({ ...lease, load: 7 });
  });

  it('stores a change at once on request', async () => {
    const { clock, news, say, stored } = await start();
    say({ kind: 'store', lease, id: 1 });
    say({ kind: 'store', lease: { ...lease, draining: true }, id: 2 });
    await clock.settled();
    expect(news.all).toEqual([
      { kind: 'stored', id: 1 },
      { kind: 'stored', id: 2 },
    ]);
    expect(await stored()).toMatchObject({ draining: true });
  });

  it('lets the lease expire after two minutes without a heartbeat, and renews it when it speaks', async () => {
    const { clock, news, say, stored } = await start();
    say({ kind: 'store', lease, id: 1 });
    await clock.advance(119_999);
    expect(await stored()).toEqual(lease);
    await clock.advance(leaseTtlSeconds * 1000 + 1);
    expect(await stored()).toBeUndefined();
    say({ kind: 'lease', lease });
    await clock.advance(1_000);
    expect(await stored()).toEqual(lease);
    expect(news.all).toEqual([{ kind: 'stored', id: 1 }, { kind: 'lapsing' }, { kind: 'renewing' }]);
  });

  it('reports the reason of a refused lease to the service', async () => {
    const { bus, clock, news, say } = await start();
    const kept = await bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    jest.spyOn(bus, 'keyValue').mockResolvedValue(kept);
    say({ kind: 'store', lease, id: 1 });
    await clock.settled();
    jest.spyOn(kept, 'put').mockRejectedValue(new Error('no permission'));
    await clock.advance(5_000);
    expect(news.all.slice(1)).toEqual([{ kind: 'refused', reason: 'no permission' }]);
  });

  it('deletes the lease and closes bus and port when the service closes', async () => {
    const { bus, clock, news, say, stored } = await start();
    say({ kind: 'store', lease, id: 1 });
    say({ kind: 'close' });
    await clock.advance(10_000);
    expect(await stored()).toBeUndefined();
    expect(news.all.at(-1)).toEqual({ kind: 'closed' });
    expect([bus.isConnected(), clock.pending]).toEqual([false, 0]);
  });

  it('closes before it has stored anything', async () => {
    const { clock, news, say } = await start();
    say({ kind: 'close' });
    await clock.settled();
    expect(news.all).toEqual([{ kind: 'closed' }]);
  });

  it('reports why the lease cannot be stored, and tries again at the next sign of life', async () => {
    const { bus, clock, news, say, stored } = await start();
    bus.disconnect();
    say({ kind: 'store', lease, id: 1 });
    await clock.settled();
    expect(news.all).toEqual([{ kind: 'failed', message: expect.any(String) }]);
    bus.reconnect();
    say({ kind: 'lease', lease });
    await clock.settled();
    expect(await stored()).toEqual(lease);
  });
});
