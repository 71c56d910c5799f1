import { DeadlineError, NoResponderError, RemoteError, type Address, type Bus, type StreamMessage } from './index.js';
import { waitFor } from '@rtms/testing';

export interface BusUnderTest {
  /** A further client of the same server. */
  connect(): Promise<Bus>;
  /** Ends all clients that were made. */
  close(): Promise<void>;
}

interface Greeting {
  name: string;
}

let serial = 0;
const unique = (name: string): string => `${name}${process.pid}x${++serial}`;
const greet = (): Address<Greeting, { text: string }> => ({ subject: `spec.${unique('greet')}` });

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

type TwoBuses = () => { bus: Bus; other: Bus };

function describeRequests(buses: TwoBuses): void {
  it('carries a request to the responder and the reply back', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, ({ name }) => Promise.resolve({ text: `hello ${name}` }));
    expect(await bus.request(address, { name: 'Ada' })).toEqual({ text: 'hello Ada' });
  });

  it('tells the responder the request id and how long the caller waits', async () => {
    const { bus, other } = buses();
    const address = { subject: `spec.${unique('context')}` } as Address<null, { requestID: string; leftMs: number }>;
    await other.respond(address, (_request, { requestID, deadline }) =>
      Promise.resolve({ requestID, leftMs: deadline.getTime() - Date.now() }),
    );
    const { requestID, leftMs } = await bus.request(address, null, { requestID: 'req-1', deadlineMs: 3000 });
    expect(requestID).toBe('req-1');
    expect(leftMs).toBeGreaterThan(1000);
    expect(leftMs).toBeLessThanOrEqual(3000);
  });

  it('says at once that nobody answers at an address', async () => {
    const startedAt = Date.now();
    await expect(buses().bus.request(greet(), { name: 'Ada' })).rejects.toThrow(NoResponderError);
    expect(Date.now() - startedAt).toBeLessThan(1000);
  });

  it('says that nobody answers once the responder is closed', async () => {
    const { bus, other } = buses();
    const address = greet();
    const responder = await other.respond(address, () => Promise.resolve({ text: '' }));
    await responder.close();
    await responder.close();
    await waitFor(async () => (await failureOf(bus.request(address, { name: 'Ada' }))) instanceof NoResponderError);
  });

  it('lets one of two responders at an address answer', async () => {
    const { bus, other } = buses();
    const address = greet();
    let calls = 0;
    const count = (): Promise<{ text: string }> => Promise.resolve({ text: String(++calls) });
    await Promise.all([other.respond(address, count), bus.respond(address, count)]);
    await bus.request(address, { name: 'Ada' });
    expect(calls).toBe(1);
  });
}

function describeFailures(buses: TwoBuses): void {
  it('gives up at the deadline', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, () => new Promise<never>(() => undefined));
    await expect(bus.request(address, { name: 'Ada' }, { deadlineMs: 50 })).rejects.toThrow(DeadlineError);
  });

  it('carries an error that names its reason to the caller, with its details', async () => {
    const { bus, other } = buses();
    const address = greet();
    const error = Object.assign(new Error('The room is full.'), { reason: 'room_full', details: { capacity: 2 } });
    await other.respond(address, () => Promise.reject(error));
    const failure = await failureOf(bus.request(address, { name: 'Ada' }));
    expect(failure).toBeInstanceOf(RemoteError);
    expect(failure).toMatchObject({
      failure: { reason: 'room_full', message: 'The room is full.', details: { capacity: 2 } },
    });
  });

  it('hides any other error behind internal_error', async () => {
    const { bus, other } = buses();
    const address = greet();
    await other.respond(address, () => Promise.reject(new Error('password is hunter2')));
    const failure = await failureOf(bus.request(address, { name: 'Ada' }));
    expect(failure).toMatchObject({ failure: { reason: 'internal_error' } });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  it('passes a further responder’s failure on as it is', async () => {
    const { bus, other } = buses();
    const [near, far] = [greet(), greet()];
    await other.respond(far, () => Promise.reject(Object.assign(new Error('No.'), { reason: 'room_ended' })));
    await other.respond(near, request => other.request(far, request));
    expect(await failureOf(bus.request(near, { name: 'Ada' }))).toMatchObject({ failure: { reason: 'room_ended' } });
  });
}

async function makeStream(bus: Bus): Promise<{ stream: string; subject: string }> {
  const stream = unique('SPEC');
  await bus.ensureStream({ name: stream, subjects: [`${stream}.>`] });
  return { stream, subject: `${stream}.a.b` };
}

function describeStreams(buses: TwoBuses): void {
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
    const seen: StreamMessage<{ n: number }>[] = [];
    const consumer = await other.consume<{ n: number }>({ stream, durable: 'reader' }, message => {
      seen.push(message);
      return Promise.resolve();
    });
    await waitFor(() => seen.length === 3);
    await consumer.close();
    expect(seen.map(message => message.payload.n)).toEqual([1, 2, 3]);
    expect(seen[0]).toEqual({ subject, payload: { n: 1 }, deliveries: 1 });
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
  const seen: Payload[] = [];
  const consumer = await bus.consume<Payload>({ stream, durable: 'reader' }, ({ payload }) => {
    seen.push(payload);
    return Promise.resolve();
  });
  await waitFor(() => seen.some(isLast));
  await consumer.close();
  return seen;
}

function describeRedelivery(buses: TwoBuses): void {
  it('gives a message out again until its handler succeeds, before any later one', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    for (const n of [1, 2]) await bus.publish(subject, { n }, `id-${n}`);
    const seen: [number, number][] = [];
    const consumer = await other.consume<{ n: number }>({ stream, durable: 'reader' }, ({ payload, deliveries }) => {
      seen.push([payload.n, deliveries]);
      return payload.n === 1 && deliveries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await waitFor(() => seen.length === 4);
    await consumer.close();
    expect(seen).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
  });

  it('has one message at a time in the hands of all members of a consumer', async () => {
    const { bus, other } = buses();
    const { stream, subject } = await makeStream(bus);
    const seen: number[] = [];
    let inHand = 0;
    let mostInHand = 0;
    const handler = async ({ payload }: StreamMessage<{ n: number }>): Promise<void> => {
      mostInHand = Math.max(mostInHand, ++inHand);
      await new Promise(setImmediate);
      seen.push(payload.n);
      inHand -= 1;
    };
    const members = await Promise.all([bus, other].map(one => one.consume({ stream, durable: 'reader' }, handler)));
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    for (const n of numbers) await bus.publish(subject, { n }, `id-${n}`);
    await waitFor(() => seen.length === numbers.length);
    await Promise.all(members.map(member => member.close()));
    expect(seen).toEqual(numbers);
    expect(mostInHand).toBe(1);
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
    await waitFor(async () => {
      await store.put('kept', 1);
      return (await store.get('left')) === undefined;
    });
    expect(await store.get('kept')).toBe(1);
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

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
}
