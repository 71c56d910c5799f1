import { EventLog, waitFor } from '@rtms/testing';
import type { Bus, StreamMessage } from '../index.js';
import { makeStream, unique, type TwoBuses } from '../testing/two-buses.js';

/** Streams on every bus. */
export function describeStreams(buses: TwoBuses): void {
  it('creates the same stream twice without an error', async () => {
    const { bus, other } = buses();
    const { stream } = await makeStream(bus);
    await expect(other.ensureStream({ name: stream, subjects: [`${stream}.>`] })).resolves.toBeUndefined();
  });

  it('counts the copies of its streams and buckets', async () => {
    const { bus } = buses();
    const { stream } = await makeStream(bus);
    const bucket = unique('copied');
    await bus.keyValue(bucket);
    const copies = await bus.copies();
    expect(copies).toContainEqual({ name: stream, wanted: 1, current: 1 });
    expect(copies).toContainEqual({ name: `KV_${bucket}`, wanted: 1, current: 1 });
  });

  it('rejects a message without a stream', async () => {
    await expect(buses().bus.publish(`nowhere.${unique('x')}`, {}, 'id-1')).rejects.toThrow();
  });

  it('delivers earlier messages in order to a new consumer', async () => {
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

  it('drops a duplicate message ID', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    for (const id of ['same', 'same', 'last']) await bus.publish(subject, { id }, id);
    const seen = await readUntil<{ id: string }>(other, stream, ({ id }) => id === 'last');
    expect(seen.map(({ id }) => id)).toEqual(['same', 'last']);
  });

  it('continues a durable consumer after its last acknowledgement', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    await bus.publish(subject, { n: 1 }, 'id-1');
    await readUntil<{ n: number }>(other, stream, ({ n }) => n === 1);
    await bus.publish(subject, { n: 2 }, 'id-2');
    expect(await readUntil<{ n: number }>(other, stream, ({ n }) => n === 2)).toEqual([{ n: 2 }]);
  });
}

/** The messages of a durable consumer up to the awaited one. */
async function readUntil<Payload>(bus: Bus, stream: string, isLast: (payload: Payload) => boolean): Promise<Payload[]> {
  const seen = new EventLog<Payload>();
  const consumer = await bus.consume<Payload>({ stream, durable: 'reader' }, async ({ payload }) => seen.add(payload));
  await seen.find(isLast);
  await consumer.close();
  return seen.all;
}

/** Messages whose handler failed, and messages of several consumers. */
export function describeRedelivery(buses: TwoBuses): void {
  it('redelivers a message until its handler succeeds, before any later one', async () => {
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

  it('delivers messages of one key in order, and several keys concurrently', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    const seen = new EventLog<string>();
    const inHand = new Set<string>();
    const steps = new EventLog<string>();
    const handler = async ({ subject: key, payload }: StreamMessage<{ n: number }>): Promise<void> => {
      expect(inHand.has(key)).toBe(false);
      inHand.add(key);
      steps.add(`${key} begun`);
      // The first messages of both keys are in progress together.
      await Promise.all([
        steps.find(step => step === `${subject}.a begun`),
        steps.find(step => step === `${subject}.b begun`),
      ]);
      inHand.delete(key);
      seen.add(`${key.slice(-1)}${payload.n}`);
    };
    const consumer = await other.consume({ stream, durable: 'reader', keyOf: key => key, atOnce: 2 }, handler);
    for (const n of [1, 2, 3])
      for (const key of ['a', 'b']) await bus.publish(`${subject}.${key}`, { n }, `${key}-${n}`);
    await seen.atLeast(6);
    await consumer.close();
    for (const key of ['a', 'b'])
      expect(seen.all.filter(each => each.startsWith(key))).toEqual([1, 2, 3].map(n => `${key}${n}`));
  });

  it('delays only messages of the same key after a failure', async () => {
    const { bus, other, time } = buses();
    const { stream, subject } = await makeStream(bus);
    const seen = new EventLog<string>();
    const handler = ({ subject: key, payload }: StreamMessage<{ n: number }>): Promise<void> => {
      const isTooEarly = key.endsWith('a') && !seen.all.includes('b1');
      seen.add(`${key.slice(-1)}${payload.n}`);
      return isTooEarly ? Promise.reject(new Error('not before b')) : Promise.resolve();
    };
    const consumer = await other.consume({ stream, durable: 'reader', keyOf: key => key }, handler);
    for (const [key, n] of [['a', 1] as const, ['a', 2] as const, ['b', 1] as const])
      await bus.publish(`${subject}.${key}`, { n }, unique(key));
    await seen.find(each => each === 'b1');
    expect(seen.all).not.toContain('a2');
    await time.pass(100);
    await seen.find(each => each === 'a2');
    await consumer.close();
    expect(seen.all.slice(seen.all.indexOf('b1'))).toEqual(['b1', 'a1', 'a2']);
    expect(seen.all[0]).toBe('a1');
  });

  it('redelivers messages of the former reader to a new reader first', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    const stuck = new EventLog<number>();
    const letGo = new EventLog<'now'>();
    const options = { stream, durable: 'reader' };
    const former = await bus.consume<{ n: number }>(options, async ({ payload }) => {
      stuck.add(payload.n);
      await letGo.next();
    });
    for (const n of [1, 2]) await bus.publish(subject, { n }, `id-${n}`);
    await stuck.atLeast(1);
    const closing = former.close();
    const seen = new EventLog<number>();
    const consumer = await other.consume<{ n: number }>(options, async ({ payload }) => seen.add(payload.n));
    await bus.publish(subject, { n: 3 }, 'id-3');
    await seen.atLeast(3);
    letGo.add('now');
    await closing;
    await consumer.close();
    expect(seen.all).toEqual([1, 2, 3]);
  });
}

/** Several consumers of one stream, and their backlogs. */
export function describeBacklogs(buses: TwoBuses): void {
  it('delivers only messages of the filter subject', async () => {
    const { bus } = buses();
    const { stream, subject } = await makeStream(bus);
    const seen = new EventLog<string>();
    const readers = await Promise.all(
      ['one', 'two'].map(name =>
        bus.consume({ stream, durable: name, subject: `${subject}.${name}.>` }, async message =>
          seen.add(`${name}: ${message.subject.slice(subject.length + 1)}`),
        ),
      ),
    );
    for (const key of ['one.a', 'two.a']) await bus.publish(`${subject}.${key}`, {}, key);
    await seen.atLeast(2);
    await Promise.all(readers.map(reader => reader.close()));
    expect(new Set(seen.all)).toEqual(new Set(['one: one.a', 'two: two.a']));
  });

  it('deletes a replaced consumer', async () => {
    const { bus } = buses();
    const { stream, subject } = await makeStream(bus);
    await (await bus.consume({ stream, durable: 'former' }, () => Promise.resolve())).close();
    await bus.publish(subject, 'waits', 'id-1');
    const seen = new EventLog<unknown>();
    const options = { stream, durable: 'reader', subject: `${stream}.>`, replaces: 'former' };
    const consumer = await bus.consume(options, async ({ payload }) => seen.add(payload));
    await seen.atLeast(1);
    await consumer.close();
    expect(seen.all).toEqual(['waits']);
  });

  it('returns the backlog of a consumer and its subjects', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    const reader = { stream, durable: 'reader' };
    const asked = ['a', 'b', 'c'].map(key => `${stream}.a.*.${key}`);
    const done = new EventLog<string>();
    const letGo = new EventLog<'now'>();
    const consumer = await other.consume(reader, async ({ subject: key }) => {
      if (key.endsWith('b')) await letGo.next();
      done.add(key);
    });
    expect(await bus.backlog(reader)).toEqual({ count: 0, oldestAt: undefined });
    expect(await bus.waitingUnder(reader, asked)).toEqual(new Set());
    for (const key of ['a', 'b', 'c']) await bus.publish(`${subject}.${key}`, {}, key);
    await done.atLeast(1);
    await waitFor(async () => (await bus.backlog(reader)).count <= 2, { what: 'the acknowledgement' });
    expect((await bus.backlog(reader)).oldestAt).toEqual(expect.any(Date));
    // A server deletes a message a moment after its acknowledgement.
    const waiting = () => bus.waitingUnder(reader, asked);
    await waitFor(async () => (await waiting()).size <= 2, { what: 'the deletion of the acknowledged message' });
    expect(await waiting()).toEqual(new Set(asked.slice(1)));
    letGo.add('now');
    await done.atLeast(3);
    await consumer.close();
  });

  it('returns all messages as the backlog of an unread consumer', async () => {
    const { bus } = buses();
    const { stream, subject } = await makeStream(bus);
    const nobody = { stream, durable: 'nobody' };
    await expect(bus.backlog(nobody)).rejects.toThrow();
    await bus.publish(subject, {}, 'id-1');
    expect(await bus.waitingUnder(nobody, [subject, `${stream}.none`])).toEqual(new Set([subject]));
  });
}
