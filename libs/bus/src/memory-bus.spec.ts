import { describeBus } from './bus.contract.js';
import { MemoryBroker, MemoryBus, NoResponderError, type Bus } from './index.js';

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
});
