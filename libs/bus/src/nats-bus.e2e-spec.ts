import { startNats, waitFor, type TestNats } from '@rtms/testing';
import { describeBus } from './bus.contract.js';
import { NatsBus, NoResponderError, type Bus } from './index.js';

describeBus('NatsBus', async () => {
  const nats = await startNats({ open: true });
  const made: Bus[] = [];
  return {
    connect: async () => {
      const bus = await NatsBus.connect({ url: nats.url, name: 'spec' });
      made.push(bus);
      return bus;
    },
    close: async () => {
      await Promise.all(made.map(bus => bus.close()));
      await nats.stop();
    },
  };
});

describe('NatsBus, when the server goes and comes back', () => {
  let nats: TestNats;
  let bus: NatsBus;
  beforeEach(async () => {
    nats = await startNats({ open: true });
    bus = await NatsBus.connect({ url: nats.url, name: 'spec' });
  });
  afterEach(async () => {
    await bus.close();
    await nats.stop();
  });

  it('says so, and refuses at once what cannot be sent', async () => {
    const told: boolean[] = [];
    bus.onConnectionChange(connected => told.push(connected));
    await nats.kill();
    await waitFor(() => !bus.isConnected());
    await expect(bus.request({ subject: 'spec.any' }, null)).rejects.toThrow(NoResponderError);
    await expect(bus.publish('spec.any', {}, 'id')).rejects.toThrow(NoResponderError);
    await nats.restart();
    await waitFor(() => bus.isConnected());
    expect(told).toEqual([false, true]);
  });

  it('answers again at its addresses', async () => {
    const address = { subject: 'spec.again' };
    await bus.respond(address, () => Promise.resolve('here'));
    await nats.restart();
    await waitFor(async () => (await bus.request(address, null)) === 'here');
  });

  it.each([
    ['with its store', false],
    ['without its store', true],
  ])('goes on consuming and watching when it comes back %s', async (_case, fresh) => {
    await bus.ensureStream({ name: 'SPEC', subjects: ['spec.fact.>'] });
    const seen: unknown[] = [];
    await bus.consume({ stream: 'SPEC', durable: 'reader' }, ({ payload }) => {
      seen.push(payload);
      return Promise.resolve();
    });
    const store = await bus.keyValue<number>('spec');
    const values = new Map<string, number | undefined>();
    await store.watch(({ key, value }) => values.set(key, value));
    await bus.publish('spec.fact.a', 'before', 'id-1');
    await waitFor(() => seen.includes('before'));

    await nats.kill();
    await waitFor(() => !bus.isConnected());
    await nats.restart({ fresh });
    await waitFor(() => bus.isConnected());
    await bus.publish('spec.fact.a', 'after', 'id-2');
    await store.put('key', 7);

    await waitFor(() => seen.includes('after'));
    await waitFor(() => values.get('key') === 7);
    // A server that was killed may not have noted the acknowledgement; nothing is missed, though.
    expect([...new Set(seen)]).toEqual(['before', 'after']);
  });

  it('waits for a server that starts after it', async () => {
    await nats.kill();
    const connecting = NatsBus.connect({ url: nats.url, name: 'late' });
    await nats.restart();
    const late = await connecting;
    expect(late.isConnected()).toBe(true);
    await late.close();
  });
});

describe('NatsBus.connect', () => {
  it('gives up when there is no server within the given time', async () => {
    await expect(NatsBus.connect({ url: 'nats://127.0.0.1:1', name: 'spec', connectTimeoutMs: 50 })).rejects.toThrow();
  });
});
