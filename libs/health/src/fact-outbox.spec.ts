import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { factStream, type Fact, type FactBody } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { waitFor } from '@rtms/testing';
import { FactOutbox } from './fact-outbox.js';

const idle: FactBody = { type: 'playback.idle', reason: 'viewer_lost' };
const active: FactBody = { type: 'playback.active', viewerCount: 1 };

async function start() {
  const broker = new MemoryBroker();
  const [bus, reader] = [new MemoryBus(broker), new MemoryBus(broker)];
  await bus.ensureStream(factStream);
  const stored: Fact[] = [];
  await reader.consume<Fact>({ stream: factStream.name, durable: 'spec' }, ({ payload }) => {
    stored.push(payload);
    return Promise.resolve();
  });
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const outbox = new FactOutbox(bus, { nodeID: 'sfu-1', epoch: 5 }, logger);
  return { bus, outbox, stored };
}

describe('FactOutbox', () => {
  it('numbers facts so that those of each resource are in order', async () => {
    const { outbox, stored } = await start();
    outbox.report('play_1', active, 'req-1');
    outbox.report('play_1', idle);
    outbox.report('play_2', active);
    await outbox.close();
    await waitFor(() => stored.length === 3);
    expect(stored[0]).toMatchObject({
      resourceID: 'play_1',
      nodeID: 'sfu-1',
      epoch: 5,
      sequence: 1,
      requestID: 'req-1',
    });
    const numbers = stored.map(fact => `${fact.resourceID}:${fact.sequence}`);
    expect([...numbers].sort()).toEqual(['play_1:1', 'play_1:2', 'play_2:3']);
  });

  it('keeps facts through an outage and then sends them in order', async () => {
    const { bus, outbox, stored } = await start();
    bus.disconnect();
    outbox.report('play_1', active);
    outbox.report('play_1', idle);
    outbox.report('play_1', active);
    expect(outbox.waitingCount).toBe(3);
    bus.reconnect();
    await outbox.flush();
    await waitFor(() => stored.length === 3);
    expect(stored.map(fact => fact.sequence)).toEqual([1, 2, 3]);
    await outbox.close();
  });

  it('never gives out a number twice, also for a resource that was forgotten', async () => {
    const { bus, outbox, stored } = await start();
    bus.disconnect();
    outbox.report('play_1', idle);
    outbox.forget('play_1');
    bus.reconnect();
    await outbox.flush();
    await waitFor(() => stored.length === 1);
    expect(outbox.report('play_1', active).sequence).toBe(2);
    await outbox.close();
  });
});
