import { ManualClock } from '@rtms/testing';
import { describeBus } from './bus.contract.js';
import { MemoryBroker, MemoryBus, NoResponderError, type Bus, type StreamMessage } from './index.js';

describeBus('MemoryBus', () => {
  const broker = new MemoryBroker();
  const made: Bus[] = [];
  return Promise.resolve({
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
  it('plays an outage: nobody is reached until it is over', async () => {
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

  describe('when it is asked to settle', () => {
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
      await clock.advance(0);
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

    it('waits until listeners have heard what was announced', async () => {
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
