/** @weight 0.15 for 10 s */
import { DeadlineError, NatsBus, type KeyValueStore } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { leaseBucket, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { startNats, waitFor, type TestNats } from '@rtms/testing';
import { LeaseThread } from './lease-thread.js';
import { sampleLease as lease } from './testing/sample-lease.js';

const logger = createLogger({ service: 'spec', level: 'silent' });
/** The compiled file, because a thread cannot run TypeScript. */
const program = new URL('../../dist/lease/lease-worker.js', import.meta.url);

describe('LeaseThread', () => {
  let nats: TestNats;
  let gateway: NatsBus;
  let leases: KeyValueStore<NodeLease>;
  const read = () => leases.get('sfu.sfu-1');
  /** Asks again if NATS was late, as it can be on a busy machine. */
  const stored = () =>
    read().catch((error: unknown) => {
      if (error instanceof DeadlineError) return read();
      throw error;
    });

  beforeAll(async () => {
    nats = await startNats();
    gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    leases = await gateway.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
  });
  afterAll(async () => {
    await gateway.close();
    await nats.stop();
  });

  const open = (currentLease: () => NodeLease, env: NodeJS.ProcessEnv = nats.environment('sfu')): LeaseThread =>
    new LeaseThread({ nodeID: 'sfu-1', service: 'sfu', currentLease, clock: systemClock, logger, env, program });

  it('keeps the lease while the event loop is blocked for longer than the TTL', async () => {
    const thread = open(() => lease);
    await thread.start();
    // Stops this thread without using the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (leaseTtlSeconds + 1.5) * 1000);
    expect(await stored()).toEqual(lease);
    await thread.close();
  });

  it('stores the current lease before renew resolves, and deletes it when it closes', async () => {
    let draining = false;
    const thread = open(() => ({ ...lease, draining }));
    await thread.start();
    expect(await stored()).toEqual(lease);
    draining = true;
    await thread.renew();
    expect(await stored()).toEqual({ ...lease, draining });
    await thread.close();
    await thread.close();
    expect(await stored()).toBeUndefined();
    await thread.renew();
    expect(await stored()).toBeUndefined();
  });

  it('reports why it cannot start', async () => {
    const thread = open(() => lease, { ...nats.environment('sfu'), NATS_PASSWORD: 'wrong' });
    await expect(thread.start()).rejects.toThrow(/refuses the user "sfu"/);
    await thread.close();
  });

  it('continues after the server returns', async () => {
    let load = 3;
    const thread = open(() => ({ ...lease, load }));
    await thread.start();
    await nats.kill();
    await nats.restart();
    load = 4;
    await waitFor(async () => (await stored())?.load === load);
    await thread.close();
  });
});
