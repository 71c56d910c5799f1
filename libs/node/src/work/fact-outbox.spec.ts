import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { type Fact, type FactBody, factStream } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock } from '@rtms/testing';
import { FactOutbox } from './fact-outbox.js';

const idle: FactBody = { type: 'playback.idle', reason: 'viewer_lost' };
const active: FactBody = { type: 'playback.active', viewerCount: 1 };

async function start() {
  const broker = new MemoryBroker();
  const [bus, reader] = [new MemoryBus(broker), new MemoryBus(broker)];
  await bus.ensureStream(factStream);
  const stored = new EventLog<Fact>();
  await reader.consume<Fact>({ stream: factStream.name, durable: 'spec' }, async ({ payload }) => stored.add(payload));
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const clock = new ManualClock();
  const outbox = new FactOutbox(bus, { nodeID: 'sfu-1', epoch: 5 }, logger, clock);
  return { bus, clock, outbox, stored };
}

describe('FactOutbox', () => {
  it('numbers facts so that those of each resource are in order', async () => {
    const { outbox, stored } = await start();
    outbox.report('play_1', active, 'req-1');
    outbox.report('play_1', idle);
    outbox.report('play_2', active);
    await outbox.close();
    await stored.atLeast(3);
    expect(stored.all[0]).toMatchObject({
      resourceID: 'play_1',
      nodeID: 'sfu-1',
      epoch: 5,
      sequence: 1,
      at: '2026-01-01T00:00:00.000Z',
      requestID: 'req-1',
    });
    const numbers = stored.all.map(fact => `${fact.resourceID}:${fact.sequence}`);
    expect([...numbers].sort()).toEqual(['play_1:1', 'play_1:2', 'play_2:3']);
  });

  it('keeps facts through an outage and then sends them in order, with the times of their reports', async () => {
    const { bus, clock, outbox, stored } = await start();
    bus.disconnect();
    outbox.report('play_1', active);
    await clock.advance(1_500);
    outbox.report('play_1', idle);
    outbox.report('play_1', active);
    expect(outbox.waitingCount).toBe(3);
    bus.reconnect();
    await outbox.flush();
    await stored.atLeast(3);
    expect(stored.all.map(fact => fact.sequence)).toEqual([1, 2, 3]);
    expect(stored.all.map(({ at }) => at.slice(17, 23))).toEqual(['00.000', '01.500', '01.500']);
    await outbox.close();
  });

  it('retries after 100, 200, 400 … at most 2,000 ms while the bus refuses a fact', async () => {
    const { bus, clock, outbox } = await start();
    const tried: number[] = [];
    const begun = clock.now();
    bus.publish = () => {
      tried.push(clock.now() - begun);
      return Promise.reject(new Error('no storage'));
    };
    outbox.report('play_1', active);
    await clock.advance(0);
    await clock.advance(7_200);
    expect(tried).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100]);
    const closing = outbox.close();
    await clock.advance(5_000);
    await closing;
  });

  it('gives waiting facts 5 s when it closes, then gives them up', async () => {
    const { bus, clock, outbox } = await start();
    bus.disconnect();
    outbox.report('play_1', active);
    await clock.advance(0);
    let closed = false;
    const closing = outbox.close().then(() => (closed = true));
    await clock.advance(4_999);
    expect(closed).toBe(false);
    await clock.advance(1);
    await closing;
    await outbox.close();
    expect(clock.pending).toBe(0);
  });

  it('never uses a number twice, also for a resource that was forgotten', async () => {
    const { bus, clock, outbox, stored } = await start();
    bus.disconnect();
    outbox.report('play_1', idle);
    outbox.forget('play_1');
    await clock.advance(0);
    bus.reconnect();
    await outbox.flush();
    await stored.atLeast(1);
    expect(outbox.report('play_1', active).sequence).toBe(2);
    await outbox.close();
  });
});
