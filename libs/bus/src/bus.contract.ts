import { waitFor } from '@rtms/testing';
import { NoResponderError, type Bus } from './index.js';
import { describeFailures, describeRequests } from './requests.contract.js';
import { describeRedelivery, describeStreams } from './streams.contract.js';
import { failureOf, greet, makeStream, unique, type Greeting, type TwoBuses } from './testing/two-buses.js';

export interface BusUnderTest {
  /** A further client of the same server. */
  connect(): Promise<Bus>;
  /** Ends all clients that were made. */
  close(): Promise<void>;
}

/** What every bus does. */
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

    const twoBuses = (): { bus: Bus; other: Bus } => ({ bus, other });
    describeRequests(twoBuses);
    describeFailures(twoBuses);
    describeStreams(twoBuses);
    describeRedelivery(twoBuses);
    describeNews(twoBuses);
    describeKeyValues(twoBuses);
    describeClosing(() => world.connect());
  });
}

function describeNews(buses: TwoBuses): void {
  it('tells every listener what is announced under its pattern, in order', async () => {
    const { bus, other } = buses();
    const topic = `spec.${unique('news')}`;
    const heard: Record<'any' | 'all' | 'one', string[]> = { any: [], all: [], one: [] };
    const opened = await Promise.all([
      other.listen<Greeting>(`${topic}.*`, ({ subject, payload }) => heard.any.push(`${subject} ${payload.name}`)),
      other.listen<Greeting>(`${topic}.>`, ({ payload }) => heard.all.push(payload.name)),
      bus.listen<Greeting>(`${topic}.one`, ({ payload }) => heard.one.push(payload.name)),
    ]);
    for (const [token, name] of Object.entries({ one: '1', two: '2', 'two.deep': '3' }))
      bus.announce(`${topic}.${token}`, { name });
    await waitFor(() => heard.all.length === 3 && heard.one.length === 1 && heard.any.length === 2);
    expect(heard).toEqual({ any: [`${topic}.one 1`, `${topic}.two 2`], all: ['1', '2', '3'], one: ['1'] });
    for (const listening of opened) await listening.close();
  });

  it('goes on hearing after a handler failed, and nothing more once closed', async () => {
    const { bus, other } = buses();
    const topic = `spec.${unique('news')}`;
    const [heard, witness]: [string[], string[]] = [[], []];
    const listening = await other.listen<Greeting>(topic, ({ payload }) => {
      heard.push(payload.name);
      throw new Error('the listener fails');
    });
    await other.listen<Greeting>(topic, ({ payload }) => witness.push(payload.name));
    for (const name of ['1', '2']) bus.announce(topic, { name });
    await waitFor(() => heard.length === 2);
    await listening.close();
    await listening.close();
    bus.announce(topic, { name: '3' });
    await waitFor(() => witness.length === 3);
    expect(heard).toEqual(['1', '2']);
  });
}

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

  it('tells a watcher what is there and each change', async () => {
    const { bus, other } = buses();
    const bucket = unique('bucket');
    const mine = await bus.keyValue<number>(bucket);
    await mine.put('before', 1);
    const told: unknown[] = [];
    const watch = await (await other.keyValue<number>(bucket)).watch(({ key, value }) => told.push([key, value]));
    await waitFor(() => told.length === 1);
    await mine.put('after', 2);
    await mine.delete('before');
    await waitFor(() => told.length === 3);
    await watch.close();
    expect(told).toEqual([
      ['before', 1],
      ['after', 2],
      ['before', undefined],
    ]);
  });

  it('tells a closed watcher nothing more', async () => {
    const { bus } = buses();
    const store = await bus.keyValue<number>(unique('bucket'));
    const [closed, open]: [number[], number[]] = [[], []];
    const watch = await store.watch(({ value }) => closed.push(value ?? 0));
    await store.watch(({ value }) => open.push(value ?? 0));
    await watch.close();
    await watch.close();
    await store.put('key', 1);
    await waitFor(() => open.length === 1);
    expect(closed).toEqual([]);
  });

  it('lets a value go after the time of its bucket, unless it is put again', async () => {
    const { bus } = buses();
    const store = await bus.keyValue<number>(unique('bucket'), { ttlSeconds: 1 });
    await store.put('kept', 1);
    await store.put('left', 1);
    // Put and read in one look: a later one might come after its time as well.
    await waitFor(async () => {
      await store.put('kept', 1);
      return (await store.get('left')) === undefined && (await store.get('kept')) === 1;
    });
  });
}

function describeClosing(connect: () => Promise<Bus>): void {
  it('is connected until it is closed, and says so', async () => {
    const bus = await connect();
    const told: boolean[] = [];
    bus.onConnectionChange(connected => told.push(connected));
    expect(bus.isConnected()).toBe(true);
    await bus.close();
    await bus.close();
    expect(bus.isConnected()).toBe(false);
    expect(told).toEqual([false]);
  });

  it('sends the reply that is being made when it is closed', async () => {
    const [leaving, staying] = await Promise.all([connect(), connect()]);
    const address = greet();
    let proceed = (): void => undefined;
    let isAsked = false;
    await leaving.respond(address, async () => {
      isAsked = true;
      await new Promise<void>(resolve => (proceed = resolve));
      return { text: 'last words' };
    });
    const reply = staying.request(address, { name: '' });
    await waitFor(() => isAsked);
    const closing = leaving.close();
    proceed();
    expect(await reply).toEqual({ text: 'last words' });
    await closing;
  });

  it('leaves no responder behind when it is closed', async () => {
    const [leaving, staying] = await Promise.all([connect(), connect()]);
    const address = greet();
    await leaving.respond(address, () => Promise.resolve({ text: '' }));
    await leaving.close();
    await waitFor(async () => (await failureOf(staying.request(address, { name: '' }))) instanceof NoResponderError);
  });

  it('waits for the handler that is at work when its consumer closes', async () => {
    const bus = await connect();
    const { stream, subject } = await makeStream(bus);
    const steps: string[] = [];
    let proceed = (): void => undefined;
    const consumer = await bus.consume({ stream, durable: 'reader' }, async () => {
      steps.push('begun');
      await new Promise<void>(resolve => (proceed = resolve));
      steps.push('done');
    });
    await bus.publish(subject, {}, 'id-1');
    await waitFor(() => steps.length === 1);
    const closing = consumer.close().then(() => steps.push('closed'));
    proceed();
    await closing;
    expect(steps).toEqual(['begun', 'done', 'closed']);
  });
}
