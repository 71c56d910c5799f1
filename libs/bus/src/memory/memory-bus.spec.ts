import { ManualClock } from '@rtms/testing';
import { describeBus } from '../port/bus.contract.js';
import { DeadlineError, MemoryBroker, MemoryBus, NoResponderError, type Bus, type StreamMessage } from '../index.js';

describeBus('MemoryBus', () => {
  const clock = new ManualClock();
  const broker = new MemoryBroker(clock);
  const made: Bus[] = [];
  return Promise.resolve({
    time: { clock, pass: milliseconds => clock.advance(milliseconds) },
    connect: () => {
      const bus = new MemoryBus(broker);
      made.push(bus);
      return Promise.resolve(bus);
    },
    close: async () => {
      await Promise.all(made.map(bus => bus.close()));
    },
  });
});

describe('MemoryBus', () => {
  it('simulates an outage', async () => {
    const bus = new MemoryBus();
    const address = { subject: 'spec.outage' };
    await bus.respond(address, () => Promise.resolve('here'));
    const told: boolean[] = [];
    bus.onConnectionChange(connected => told.push(connected));
    bus.disconnect();
    await expect(bus.request(address, null)).rejects.toThrow(NoResponderError);
    bus.reconnect();
    expect(await bus.request(address, null)).toBe('here');
    expect(told).toEqual([false, true]);
  });

  it('drops a duplicate message ID for two minutes', async () => {
    const clock = new ManualClock();
    const bus = new MemoryBus(new MemoryBroker(clock));
    await bus.ensureStream({ name: 'SPEC', subjects: ['spec.>'] });
    const seen: unknown[] = [];
    await bus.consume({ stream: 'SPEC', durable: 'reader' }, async ({ payload }) => void seen.push(payload));
    await bus.publish('spec.a', 'first', 'same');
    await clock.advance(119_999);
    await bus.publish('spec.a', 'second', 'same');
    await clock.advance(1);
    await bus.publish('spec.a', 'third', 'same');
    await bus.settled();
    expect(seen).toEqual(['first', 'third']);
  });

  it('expires a value after the TTL, counted from the last put', async () => {
    const clock = new ManualClock();
    const bus = new MemoryBus(new MemoryBroker(clock));
    const store = await bus.keyValue<number>('spec', { ttlSeconds: 10 });
    await store.put('key', 1);
    await clock.advance(9_000);
    await store.put('key', 2);
    await clock.advance(9_999);
    expect(await store.get('key')).toBe(2);
    await clock.advance(1);
    expect(await store.get('key')).toBeUndefined();
  });

  it('redelivers a failed message after 100 ms, then doubles the delay up to 5 s', async () => {
    const clock = new ManualClock(0);
    const bus = new MemoryBus(new MemoryBroker(clock));
    await bus.ensureStream({ name: 'SPEC', subjects: ['spec.>'] });
    const times: number[] = [];
    const consumer = await bus.consume({ stream: 'SPEC', durable: 'reader' }, () => {
      times.push(clock.now());
      return Promise.reject(new Error('never'));
    });
    await bus.publish('spec.a', {}, 'id-1');
    for (const pause of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
      const before = times.length;
      await clock.advance(pause - 1);
      expect(times).toHaveLength(before);
      await clock.advance(1);
      expect(times).toHaveLength(before + 1);
    }
    await consumer.close();
    expect(clock.pending).toBe(0);
  });

  it('fails a request exactly at its deadline', async () => {
    const clock = new ManualClock();
    const bus = new MemoryBus(new MemoryBroker(clock));
    const address = { subject: 'spec.silent' };
    await bus.respond(address, () => new Promise<never>(() => undefined));
    let failure: unknown;
    void bus.request(address, null, { deadlineMs: 5_000 }).catch((error: unknown) => (failure = error));
    await clock.advance(4_999);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    expect(failure).toBeInstanceOf(DeadlineError);
  });

  describe('settled', () => {
    const stream = { name: 'SPEC', subjects: ['spec.>'] };

    it('waits until each consumer has acknowledged the messages, also those that fail at first', async () => {
      const clock = new ManualClock();
      const broker = new MemoryBroker(clock);
      const [bus, other] = [new MemoryBus(broker), new MemoryBus(broker)];
      await bus.ensureStream(stream);
      const steps: string[] = [];
      const handle = (reader: string) => async (message: StreamMessage<number>) => {
        if (message.deliveries === 1) throw new Error('not yet');
        steps.push(`${reader} ${message.payload}`);
      };
      for (const durable of ['one', 'two']) await other.consume({ stream: 'SPEC', durable }, handle(durable));
      await bus.publish('spec.a', 1, 'id-1');
      const settled = bus.settled().then(() => steps.push('settled'));
      await clock.advance(99);
      expect(steps).toEqual([]);
      await clock.advance(1);
      await settled;
      expect(steps).toEqual(['one 1', 'two 1', 'settled']);
    });

    it('does not wait for a consumer that is closed', async () => {
      const bus = new MemoryBus();
      await bus.ensureStream(stream);
      const consumer = await bus.consume({ stream: 'SPEC', durable: 'reader' }, () => Promise.resolve());
      await consumer.close();
      await bus.publish('spec.a', 1, 'id-1');
      await expect(bus.settled()).resolves.toBeUndefined();
    });

    it('waits until listeners have received announcements', async () => {
      const bus = new MemoryBus();
      const heard: unknown[] = [];
      await bus.listen('spec.>', ({ payload }) => heard.push(payload));
      bus.announce('spec.a', 'now');
      expect(heard).toEqual([]);
      await bus.settled();
      expect(heard).toEqual(['now']);
    });
  });
});
