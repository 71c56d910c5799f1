import { EventLog, waitFor } from '@rtms/testing';
import { NoResponderError, type Bus, type HeardMessage, type KeyValueEntry } from '../index.js';
import { describeFailures, describeRequests } from './requests.contract.js';
import { describeBacklogs, describeRedelivery, describeStreams } from './streams.contract.js';
import { greet, makeStream, unique, type BusTime, type Greeting, type TwoBuses } from '../testing/two-buses.js';

export interface BusUnderTest {
  time: BusTime;
  /** A further client of the same server. */
  connect(): Promise<Bus>;
  /** Closes all clients. */
  close(): Promise<void>;
}

/** The behaviour of every bus. */
export function describeBus(name: string, start: () => Promise<BusUnderTest>): void {
  describe(`${name}, as a bus`, () => {
    let world: BusUnderTest;
    let bus: Bus;
    let other: Bus;
    beforeAll(async () => {
      world = await start();
      [bus, other] = await Promise.all([world.connect(), world.connect()]);
    });
    afterAll(() => world.close());

    const twoBuses: TwoBuses = () => ({ bus, other, time: world.time });
    describeRequests(twoBuses);
    describeFailures(twoBuses);
    describeStreams(twoBuses);
    describeRedelivery(twoBuses);
    describeBacklogs(twoBuses);
    describeNews(twoBuses);
    describeKeyValues(twoBuses);
    describeClosing(() => world.connect());
  });
}

function describeNews(buses: TwoBuses): void {
  it('delivers announcements to every matching listener, in order', async () => {
    const { bus, other } = buses();
    const topic = `spec.${unique('news')}`;
    const [any, all, one] = [newLog(), newLog(), newLog()];
    const opened = await Promise.all([
      other.listen(`${topic}.*`, any.add),
      other.listen(`${topic}.>`, all.add),
      bus.listen(`${topic}.one`, one.add),
    ]);
    for (const [token, name] of Object.entries({ one: '1', two: '2', 'two.deep': '3', last: 'end' }))
      bus.announce(`${topic}.${token}`, { name });
    bus.announce(`${topic}.one`, { name: 'end' });
    await Promise.all([any, all, one].map(log => log.find(isEnd)));
    const heard = (log: EventLog<Heard>): string[] =>
      log.all.map(({ subject, payload }) => `${subject.slice(topic.length + 1)} ${payload.name}`);
    expect(heard(any).slice(0, 2)).toEqual(['one 1', 'two 2']);
    expect(heard(all).slice(0, 3)).toEqual(['one 1', 'two 2', 'two.deep 3']);
    expect(heard(one)).toEqual(['one 1', 'one end']);
    for (const listening of opened) await listening.close();
  });

  it('continues after a failed handler, and stops when closed', async () => {
    const { bus, other } = buses();
    const topic = `spec.${unique('news')}`;
    const [heard, witness] = [newLog(), newLog()];
    const listening = await other.listen<Greeting>(topic, message => {
      heard.add(message);
      throw new Error('the listener fails');
    });
    await other.listen(topic, witness.add);
    for (const name of ['1', '2']) bus.announce(topic, { name });
    await heard.atLeast(2);
    await listening.close();
    await listening.close();
    bus.announce(topic, { name: 'end' });
    await witness.find(isEnd);
    expect(heard.all.map(({ payload }) => payload.name)).toEqual(['1', '2']);
  });
}

type Heard = HeardMessage<Greeting>;
const newLog = (): EventLog<Heard> => new EventLog<Heard>();
const isEnd = ({ payload }: Heard): boolean => payload.name === 'end';

function describeKeyValues(buses: TwoBuses): void {
  it('keeps, replaces and deletes values', async () => {
    const { bus, other } = buses();
    const bucket = unique('bucket');
    const [mine, theirs] = await Promise.all([bus.keyValue<Greeting>(bucket), other.keyValue<Greeting>(bucket)]);
    expect(await mine.get('a.b')).toBeUndefined();
    await mine.put('a.b', { name: 'Ada' });
    await mine.put('a.b', { name: 'Grace' });
    expect(await theirs.get('a.b')).toEqual({ name: 'Grace' });
    await theirs.delete('a.b');
    expect(await mine.get('a.b')).toBeUndefined();
  });

  it('reports existing values and each change to a watcher', async () => {
    const { bus, other } = buses();
    const bucket = unique('bucket');
    const mine = await bus.keyValue<number>(bucket);
    await mine.put('before', 1);
    const told = new EventLog<KeyValueEntry<number>>();
    const watch = await (await other.keyValue<number>(bucket)).watch(told.add);
    await told.find(({ key }) => key === 'before');
    await mine.put('after', 2);
    await mine.delete('before');
    await told.find(({ value }) => value === undefined);
    await watch.close();
    expect(told.all).toEqual([
      { key: 'before', value: 1, revision: 1 },
      { key: 'after', value: 2, revision: 2 },
      { key: 'before', value: undefined, revision: 3 },
    ]);
  });

  it('reports nothing to a closed watcher', async () => {
    const { bus } = buses();
    const store = await bus.keyValue<number>(unique('bucket'));
    const [closed, open] = [new EventLog<KeyValueEntry<number>>(), new EventLog<KeyValueEntry<number>>()];
    const watch = await store.watch(closed.add);
    await store.watch(open.add);
    await store.put('key', 1);
    await Promise.all([closed, open].map(log => log.find(({ value }) => value === 1)));
    await watch.close();
    await watch.close();
    await store.put('key', 2);
    await open.find(({ value }) => value === 2);
    expect(closed.all).toEqual([{ key: 'key', value: 1, revision: 1 }]);
  });

  it('expires a value after the TTL of its bucket, counted from the last put', async () => {
    const { bus, time } = buses();
    const store = await bus.keyValue<number>(unique('bucket'), { ttlSeconds: 1 });
    await store.put('kept', 1);
    await store.put('left', 1);
    await time.pass(500);
    await store.put('kept', 1);
    await time.pass(500);
    // A server does not report the expiry. Put and read in one attempt, because a later one could come after the expiry of `kept`.
    await waitFor(async () => {
      await store.put('kept', 1);
      return (await store.get('left')) === undefined && (await store.get('kept')) === 1;
    });
  });
}

function describeClosing(connect: () => Promise<Bus>): void {
  it('reports the connection until it is closed', async () => {
    const bus = await connect();
    const told: boolean[] = [];
    bus.onConnectionChange(connected => told.push(connected));
    expect(bus.isConnected()).toBe(true);
    await bus.close();
    await bus.close();
    expect(bus.isConnected()).toBe(false);
    expect(told).toEqual([false]);
  });

  it('sends a reply in progress when it closes', async () => {
    const [leaving, staying] = await Promise.all([connect(), connect()]);
    const address = greet();
    const [asked, answer] = [new EventLog<Greeting>(), new EventLog<{ text: string }>()];
    await leaving.respond(address, request => {
      asked.add(request);
      return answer.find(() => true);
    });
    const reply = staying.request(address, { name: '' });
    await asked.atLeast(1);
    const closing = leaving.close();
    answer.add({ text: 'last words' });
    expect(await reply).toEqual({ text: 'last words' });
    await closing;
  });

  it('leaves no responder behind when it is closed', async () => {
    const [leaving, staying] = await Promise.all([connect(), connect()]);
    const address = greet();
    await leaving.respond(address, () => Promise.resolve({ text: '' }));
    await leaving.close();
    await expect(staying.request(address, { name: '' })).rejects.toThrow(NoResponderError);
  });

  it('waits for the running handler when a consumer closes', async () => {
    const bus = await connect();
    const { stream, subject } = await makeStream(bus);
    const steps = new EventLog<string>();
    const consumer = await bus.consume({ stream, durable: 'reader' }, async () => {
      steps.add('begun');
      await steps.find(step => step === 'proceed');
      steps.add('done');
    });
    await bus.publish(subject, {}, 'id-1');
    await steps.find(step => step === 'begun');
    const closing = consumer.close().then(() => steps.add('closed'));
    steps.add('proceed');
    await closing;
    expect(steps.all).toEqual(['begun', 'proceed', 'done', 'closed']);
  });
}
