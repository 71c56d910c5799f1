/** @seconds 9 */
import { jest } from '@jest/globals';
import { EventLog } from '@rtms/testing';
import { TestReplicas, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';
import { cursorOf } from './event-cursor.js';
import { EventWaitersService } from './event-waiters.service.js';

interface Event {
  eventID: string;
  sequence: number;
  type: string;
  meetingID: string | null;
  resource: { kind: string; id: string };
  data: Record<string, unknown>;
  requestID: string | null;
}

interface Answer {
  events: Event[];
  nextCursor: string;
  hasMore: boolean;
}

/** The text that a reader of a stream has received. */
class Stream {
  private readonly chunks = new EventLog<string>();
  private readonly ending = new AbortController();
  readonly over: Promise<void>;

  constructor(private readonly response: Response) {
    this.over = this.read();
  }

  get text(): string {
    return this.chunks.all.join('');
  }

  async hears(text: string): Promise<void> {
    await this.chunks.find(() => this.text.includes(text));
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.over;
  }

  private async read(): Promise<void> {
    const reader = this.response.body!.getReader();
    this.ending.signal.addEventListener('abort', () => void reader.cancel());
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || !value) return;
      this.chunks.add(Buffer.from(value).toString('utf8'));
    }
  }
}

describe('GET /v1/events', () => {
  let replicas: TestReplicas;
  let one: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let start: string;

  beforeAll(async () => {
    replicas = await TestReplicas.start();
    ({ gateway: one, replica: other } = replicas);
  });
  beforeEach(async () => {
    account = await one.makeAccount();
    ({ nextCursor: start } = await untilType('key.created'));
  });
  afterAll(() => replicas?.close());

  const get = (query: Record<string, string>, by = account, gateway = one) =>
    gateway.http.get('/v1/events').query(query).set('Authorization', by.authorization);
  const read = async (query: Record<string, string>, by = account, gateway = one): Promise<Answer> =>
    (await get(query, by, gateway).expect(200)).body as Answer;
  const post = async (path: string, body: object, requestID = 'test') => {
    const request = other.http.post(path).set('Authorization', account.authorization).set('X-Request-Id', requestID);
    return (await request.send(body)).body as Record<string, Record<string, string>>;
  };
  const createRoom = async () => (await post('/v1/rooms', { action: 'create', userName: 'Ada' }, 'first')).room!;

  /** Reads until an event of the type came. */
  async function untilType(type: string, query: Record<string, string> = {}): Promise<Answer> {
    const events: Event[] = [];
    let after = query['after'];
    for (;;) {
      const page = await read({ ...query, wait: '20', ...(after !== undefined && { after }) });
      events.push(...page.events);
      after = page.nextCursor;
      if (events.some(event => event.type === type)) return { ...page, events };
    }
  }

  const open = async (headers: Record<string, string> = {}, gateway = one, query = ''): Promise<Stream> => {
    const sent = { Authorization: account.authorization, Accept: 'text/event-stream', ...headers };
    const response = await fetch(`${gateway.url}/v1/events${query}`, { headers: sent });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    return new Stream(response);
  };

  it('answers the events of every replica in order, each with its request', async () => {
    const { meetingID } = await createRoom();
    await post('/v1/rooms', { action: 'update', meetingID, capacity: 30 }, 'second');
    await post('/v1/rooms', { action: 'end', meetingID }, 'third');
    const { events, nextCursor } = await untilType('room.ended', { after: start });
    expect(events.map(({ type, requestID, sequence }) => [type, requestID, sequence])).toEqual([
      ['room.created', 'first', 2],
      ['room.updated', 'second', 3],
      ['room.ended', 'third', 4],
    ]);
    const resource = { kind: 'room', id: meetingID };
    expect(events[1]).toMatchObject({ meetingID, resource, data: { meetingID, capacity: 30, state: 'active' } });
    expect(await read({ after: nextCursor })).toEqual({ success: true, events: [], nextCursor, hasMore: false });
    expect((await read({ after: start })).events).toEqual(events);
  });

  it('pages, and answers only the wanted types and room', async () => {
    const { meetingID } = await createRoom();
    await post('/v1/domains', { action: 'create', domain: 'a.example.com' });
    const second = await createRoom();
    await post('/v1/rooms', { action: 'end', meetingID });
    const all = await untilType('room.ended', { after: start });
    const first = await read({ after: start, pageSize: '1' });
    expect(first).toMatchObject({ events: [{ type: 'room.created' }], hasMore: true });
    const rest = await read({ after: first.nextCursor });
    expect([...first.events, ...rest.events]).toEqual(all.events);
    const typesOf = async (query: Record<string, string>) =>
      (await read({ after: start, ...query })).events.map(({ type }) => type);
    expect(await typesOf({ types: 'domain.*,room.ended' })).toEqual(['domain.created', 'room.ended']);
    expect(await typesOf({ meetingID: second['meetingID']! })).toEqual(['room.created']);
    expect((await read({ after: start, types: 'recording.*' })).nextCursor).toBe(all.nextCursor);
  });

  it('begins with the oldest kept event, or with latest', async () => {
    expect(await read({})).toMatchObject({ events: [{ type: 'key.created', sequence: 1 }], nextCursor: start });
    expect(await read({ after: 'latest' })).toMatchObject({ events: [], nextCursor: start });
  });

  it('answers the environment of the key and shared resources', async () => {
    const production = await one.makeKey(account, 'production');
    await createRoom();
    await post('/v1/domains', { action: 'create', domain: 'a.example.com' });
    await untilType('domain.created', { after: start });
    const typesOf = async (by: TestAccount) => (await read({}, by)).events.map(({ type }) => type);
    expect(await typesOf(account)).toEqual(['key.created', 'room.created', 'domain.created']);
    expect(await typesOf(production)).toEqual(['key.created', 'domain.created']);
  });

  it.each([
    ['another account’s cursor', () => cursorOf('acct_other', 1)],
    ['a cursor in the future', () => cursorOf(account.accountID, 4_711)],
    ['anything else', () => '1'],
  ])('refuses %s', async (_, makeCursor) => {
    const { body } = await get({ after: makeCursor() }).expect(400);
    expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'invalid_cursor' });
  });

  it.each([{ types: 'room.exploded' }, { types: '' }, { wait: '26' }, { wait: '-1' }, { pageSize: '0' }])(
    'refuses %j',
    async query => {
      const { body } = await get(query as unknown as Record<string, string>).expect(400);
      expect(body).toMatchObject({ code: 'BAD_REQUEST', error: expect.stringContaining(Object.keys(query)[0]!) });
    },
  );

  it('answers 410 for a cursor before the retention, and begins after it without one', async () => {
    await createRoom();
    const { nextCursor } = await untilType('room.created', { after: start });
    await one.asOwner('DELETE FROM account_events WHERE account_id = $1', [account.accountID]);
    const { body } = await get({ after: start }).expect(410);
    expect(body).toMatchObject({ code: 'GONE', reason: 'cursor_expired' });
    expect(await read({ after: nextCursor })).toMatchObject({ events: [], nextCursor });
    expect(await read({})).toMatchObject({ events: [], nextCursor });
  });

  it('waits for an event of another replica', async () => {
    const waiting = read({ after: start, wait: '25' });
    const { meetingID } = await createRoom();
    expect((await waiting).events).toMatchObject([{ type: 'room.created', meetingID }]);
  });

  it('streams events, and continues behind Last-Event-ID', async () => {
    const stream = await open({ 'Last-Event-ID': start });
    const { meetingID } = await createRoom();
    await stream.hears('event: room.created');
    const id = cursorOf(account.accountID, 2);
    expect(stream.text).toContain(`id: ${id}\nevent: room.created\ndata: {"data":`.slice(0, 20));
    await stream.close();
    await post('/v1/rooms', { action: 'end', meetingID });
    const later = await open({ 'Last-Event-ID': id }, other, `?after=${start}`);
    await later.hears('event: room.ended');
    expect(later.text).not.toContain('room.created');
    await later.close();
  });

  it('ends a stream with its key', async () => {
    const create = { action: 'create', name: 'Reader', type: 'sandbox', operations: ['readLogs'] };
    const { disposableKey } = await post('/v1/disposable-keys', create);
    const { apiUserName, apiKey, keyID } = disposableKey!;
    const stream = await open({ Authorization: `Bearer ${apiUserName}:${apiKey}` });
    await stream.hears('event: key.created');
    await post('/v1/disposable-keys', { action: 'delete', keyID });
    await stream.over;
    expect(stream.text).not.toContain('key.deleted');
  });

  it('finds events whose announcement was lost', async () => {
    const lost = jest.spyOn(replicas.bus, 'announce').mockReturnValue();
    const waiting = read({ after: start, wait: '25' });
    await createRoom();
    expect((await waiting).events).toMatchObject([{ type: 'room.created' }]);
    lost.mockRestore();
  });

  it('limits the waiting requests of an account, but not those of others', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => open()));
    const { body, headers } = await get({ after: start, wait: '20' }).expect(429);
    expect(body).toMatchObject({ code: 'RATE_LIMITED', reason: 'too_many_waiting' });
    expect(headers['retry-after']).toBe('1');
    const stranger = await one.makeAccount();
    expect((await read({ wait: '20' }, stranger)).events).toMatchObject([{ type: 'key.created' }]);
    await Promise.all(all.map(stream => stream.close()));
    const waiting = read({ after: start, wait: '25' });
    await createRoom();
    expect((await waiting).events).toHaveLength(1);
  });

  it('ends streams and answers waiting requests when the gateway stops', async () => {
    const stream = await open({ 'Last-Event-ID': start }, other);
    await stream.hears('retry: 2000');
    const waiters = other.app.get(EventWaitersService, { strict: false });
    const openWaiter = waiters.open.bind(waiters);
    const waits = new Promise<void>(resolve => {
      jest.spyOn(waiters, 'open').mockImplementationOnce(accountID => {
        resolve();
        return openWaiter(accountID);
      });
    });
    const waiting = read({ after: start, wait: '25' }, account, other);
    await waits;
    await other.stop();
    await stream.over;
    expect(await waiting).toEqual({ success: true, events: [], nextCursor: start, hasMore: false });
  });
});
