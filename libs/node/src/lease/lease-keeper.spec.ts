import { jest } from '@jest/globals';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock } from '@rtms/testing';
import { LeaseKeeper, logLeaseOutage, type LeaseOutage } from './lease-keeper.js';
import { sampleLease as lease } from './testing/sample-lease.js';

async function start(current: () => NodeLease = () => lease) {
  const broker = new MemoryBroker();
  const bus = new MemoryBus(broker);
  const store = await new MemoryBus(broker).keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  const clock = new ManualClock();
  const outages: LeaseOutage[] = [];
  const keeper = new LeaseKeeper(bus, current, clock, { report: outage => outages.push(outage) });
  const kept = await bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  jest.spyOn(bus, 'keyValue').mockResolvedValue(kept);
  await keeper.start();
  const written = new EventLog<NodeLease | undefined>();
  await store.watch(({ value }) => written.add(value));
  written.all.length = 0;
  return { bus, clock, keeper, kept, outages, store, written };
}

describe('LeaseKeeper', () => {
  it('stores the lease before start resolves', async () => {
    const { keeper, store } = await start();
    expect(await store.get('sfu.sfu-1')).toEqual(lease);
    await keeper.close();
  });

  it('sets the expiry to 5 s after the last renewal', async () => {
    const bus = new MemoryBus();
    const keyValue = jest.spyOn(bus, 'keyValue');
    const keeper = new LeaseKeeper(bus, () => lease, new ManualClock(), { report: () => undefined });
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

  it('continues renewing after an outage', async () => {
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

  it('reports the reason of a refusal once per outage, and that it is accepted again', async () => {
    const { clock, keeper, kept, outages, written } = await start();
    const put = jest.spyOn(kept, 'put').mockRejectedValue(new Error('no permission at nats://sfu:secret@nats:4222'));
    await clock.advance(120_000);
    expect(put.mock.calls.length).toBeGreaterThan(100);
    const refused = { kind: 'refused', reason: 'no permission at nats://[redacted]@nats:4222' };
    expect(outages).toEqual([refused]);
    put.mockRestore();
    await clock.advance(3_000);
    expect(outages).toEqual([refused, { kind: 'accepted' }]);
    expect(written.length).toBe(3);
    await keeper.close();
  });

  it('reports repeated outages at most once a minute', async () => {
    const { clock, keeper, kept, outages } = await start();
    const put = kept.put.bind(kept);
    let puts = 0;
    const flapping = jest.spyOn(kept, 'put').mockImplementation(async (key, value) => {
      if ((puts += 1) % 2 === 1) throw new Error('no');
      await put(key, value);
    });
    await clock.advance(59_000);
    expect(outages.map(({ kind }) => kind)).toEqual(['refused', 'accepted']);
    // A lasting outage that began within the minute is reported after the minute.
    flapping.mockRejectedValue(new Error('for good'));
    await clock.advance(1_000);
    expect(outages).toHaveLength(2);
    await clock.advance(1_000);
    expect(outages[2]).toEqual({ kind: 'refused', reason: 'for good' });
    await keeper.close();
  });

  it('reports no more than 300 characters of a reason', async () => {
    const { clock, keeper, kept, outages } = await start();
    jest.spyOn(kept, 'put').mockRejectedValue(new Error('x'.repeat(10_000)));
    await clock.advance(1_000);
    expect(outages).toEqual([{ kind: 'refused', reason: 'x'.repeat(300) }]);
    await keeper.close();
  });

  it('writes one log line per change', () => {
    const lines: string[] = [];
    const logger = createLogger({
      service: 'spec',
      level: 'info',
      destination: { write: line => void lines.push(line) },
    });
    logLeaseOutage(logger, { kind: 'refused', reason: 'no permission' });
    logLeaseOutage(logger, { kind: 'accepted' });
    expect(lines.map(line => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', reason: 'no permission' }),
      expect.objectContaining({ level: 'warn' }),
    ]);
  });

  it('closes during an outage', async () => {
    const { bus, keeper } = await start();
    bus.disconnect();
    await expect(keeper.close()).resolves.toBeUndefined();
  });
});
