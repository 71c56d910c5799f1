import { EventLog } from '@rtms/testing';
import type { Bus, StreamMessage } from './index.js';
import { makeStream, unique, type TwoBuses } from './testing/two-buses.js';

/** Streams on every bus. */
export function describeStreams(buses: TwoBuses): void {
  it('takes the same stream twice', async () => {
    const { bus, other } = buses();
    const { stream } = await makeStream(bus);
    await expect(other.ensureStream({ name: stream, subjects: [`${stream}.>`] })).resolves.toBeUndefined();
  });

  it('refuses a message that no stream would keep', async () => {
    await expect(buses().bus.publish(`nowhere.${unique('x')}`, {}, 'id-1')).rejects.toThrow();
  });

  it('gives out messages in order to a consumer that came later', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    for (const n of [1, 2, 3]) await bus.publish(subject, { n }, `id-${n}`);
    const seen = new EventLog<StreamMessage<{ n: number }>>();
    const consumer = await other.consume<{ n: number }>({ stream, durable: 'reader' }, async message =>
      seen.add(message),
    );
    await seen.atLeast(3);
    await consumer.close();
    expect(seen.all.map(message => message.payload.n)).toEqual([1, 2, 3]);
    expect(seen.all[0]).toEqual({ subject, payload: { n: 1 }, deliveries: 1 });
  });

  it('drops a second message of one id', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    for (const id of ['same', 'same', 'last']) await bus.publish(subject, { id }, id);
    const seen = await readUntil<{ id: string }>(other, stream, ({ id }) => id === 'last');
    expect(seen.map(({ id }) => id)).toEqual(['same', 'last']);
  });

  it('lets a durable consumer go on where it stopped', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    await bus.publish(subject, { n: 1 }, 'id-1');
    await readUntil<{ n: number }>(other, stream, ({ n }) => n === 1);
    await bus.publish(subject, { n: 2 }, 'id-2');
    expect(await readUntil<{ n: number }>(other, stream, ({ n }) => n === 2)).toEqual([{ n: 2 }]);
  });
}

/** All that a durable consumer hands out, until one message is the awaited one. */
async function readUntil<Payload>(bus: Bus, stream: string, isLast: (payload: Payload) => boolean): Promise<Payload[]> {
  const seen = new EventLog<Payload>();
  const consumer = await bus.consume<Payload>({ stream, durable: 'reader' }, async ({ payload }) => seen.add(payload));
  await seen.find(isLast);
  await consumer.close();
  return seen.all;
}

/** Messages whose handler failed, and messages of several consumers. */
export function describeRedelivery(buses: TwoBuses): void {
  it('gives a message out again until its handler succeeds, before any later one', async () => {
    const { bus, other, time } = buses();
    const { stream, subject } = await makeStream(bus);
    for (const n of [1, 2]) await bus.publish(subject, { n }, `id-${n}`);
    const seen = new EventLog<[number, number]>();
    const consumer = await other.consume<{ n: number }>({ stream, durable: 'reader' }, ({ payload, deliveries }) => {
      seen.add([payload.n, deliveries]);
      return payload.n === 1 && deliveries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await seen.atLeast(1);
    await time.pass(100);
    await seen.atLeast(2);
    await time.pass(200);
    await seen.atLeast(4);
    await consumer.close();
    expect(seen.all).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
  });

  it('has one message at a time in the hands of all members of a consumer', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    const seen = new EventLog<number>();
    let inHand = 0;
    let mostInHand = 0;
    const handler = async ({ payload }: StreamMessage<{ n: number }>): Promise<void> => {
      mostInHand = Math.max(mostInHand, ++inHand);
      await new Promise(setImmediate);
      seen.add(payload.n);
      inHand -= 1;
    };
    const members = await Promise.all([bus, other].map(one => one.consume({ stream, durable: 'reader' }, handler)));
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    for (const n of numbers) await bus.publish(subject, { n }, `id-${n}`);
    await seen.atLeast(numbers.length);
    await Promise.all(members.map(member => member.close()));
    expect(seen.all).toEqual(numbers);
    expect(mostInHand).toBe(1);
  });
}
