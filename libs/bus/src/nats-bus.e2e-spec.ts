import { systemClock } from '@rtms/clock';
import { EventLog, startNats, type TestNats } from '@rtms/testing';
import { describeBus } from './bus.contract.js';
import { NatsBus, NoResponderError, type Bus, type KeyValueEntry } from './index.js';

describeBus('NatsBus', async () => {
  const nats = await startNats({ open: true });
  const made: Bus[] = [];
  return {
    time: { clock: systemClock, pass: () => Promise.resolve() },
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
  let connected: EventLog<boolean>;
  beforeEach(async () => {
    nats = await startNats({ open: true });
    bus = await NatsBus.connect({ url: nats.url, name: 'spec' });
    connected = new EventLog();
    bus.onConnectionChange(connected.add);
  });
  afterEach(async () => {
    await bus.close();
    await nats.stop();
  });

  it('says so, and refuses at once what cannot be sent', async () => {
    await nats.kill();
    await connected.find(isConnected => !isConnected);
    expect(bus.isConnected()).toBe(false);
    await expect(bus.request({ subject: 'spec.any' }, null)).rejects.toThrow(NoResponderError);
    await expect(bus.publish('spec.any', {}, 'id')).rejects.toThrow(NoResponderError);
    await nats.restart();
    await connected.find(isConnected => isConnected);
    expect(bus.isConnected()).toBe(true);
    expect(connected.all).toEqual([false, true]);
  });

  it('answers again at its addresses', async () => {
    const address = { subject: 'spec.again' };
    await bus.respond(address, () => Promise.resolve('here'));
    await nats.restart();
    await connected.find(isConnected => isConnected);
    expect(await bus.request(address, null)).toBe('here');
  });

  it.each([
    ['with its store', false],
    ['without its store', true],
  ])('goes on consuming and watching when it comes back %s', async (_case, fresh) => {
    await bus.ensureStream({ name: 'SPEC', subjects: ['spec.fact.>'] });
    const seen = new EventLog<unknown>();
    await bus.consume({ stream: 'SPEC', durable: 'reader' }, async ({ payload }) => seen.add(payload));
    const store = await bus.keyValue<number>('spec');
    const values = new EventLog<KeyValueEntry<number>>();
    await store.watch(values.add);
    await bus.publish('spec.fact.a', 'before', 'id-1');
    await seen.find(payload => payload === 'before');

    await nats.kill();
    await connected.find(isConnected => !isConnected);
    await nats.restart({ fresh });
    await connected.find(isConnected => isConnected);
    await bus.publish('spec.fact.a', 'after', 'id-2');
    await store.put('key', 7);

    await seen.find(payload => payload === 'after');
    await values.find(({ key, value }) => key === 'key' && value === 7);
    // A server that was killed may not have noted the acknowledgement; nothing is missed, though.
    expect([...new Set(seen.all)]).toEqual(['before', 'after']);
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
