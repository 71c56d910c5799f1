import type { MemoryBus } from '@rtms/bus';
import { EventLog, ManualClock, memoryBus, startPostgres, type TestPostgres } from '@rtms/testing';
import { DashboardClient } from '../../testing/dashboard-client.js';
import {
  migratedSchema,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

/** The events that a page reads from the stream. */
class Stream {
  readonly over: Promise<void>;
  private readonly chunks = new EventLog<string>();
  private readonly ending = new AbortController();

  constructor(readonly response: Response) {
    this.over = this.read().catch(() => undefined);
  }

  get text(): string {
    return this.chunks.all.join('');
  }

  static async open(gateway: TestGateway, { cookie }: DashboardClient): Promise<Stream> {
    const stream = new Stream(await fetch(`${gateway.url}/dashboard/api/events`, { headers: { Cookie: cookie } }));
    await stream.hears('event: ready');
    return stream;
  }

  /** Resolves with the next change of the row. */
  change(kind: string, id: string): Promise<unknown> {
    const text = JSON.stringify({ kind, id });
    return this.chunks.next(chunk => chunk.includes(text));
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
      const { value, done } = await reader.read();
      if (done) break;
      this.chunks.add(Buffer.from(value).toString('utf8'));
    }
  }
}

/** The interval at which the gateway sends changes. */
const sendMs = 1_000;

describe('the event stream of a dashboard page', () => {
  const clock = new ManualClock();
  let postgres: TestPostgres;
  let bus: MemoryBus;
  let one: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let page: DashboardClient;
  let stream: Stream;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    const databaseUrl = postgres.url;
    bus = await memoryBus(clock);
    one = await startTestGateway({ databaseUrl, clock, bus });
    other = await startTestGateway({ databaseUrl, clock, bus });
  });
  beforeEach(async () => {
    account = await one.makeAccount();
    page = await DashboardClient.signedIn(one, account.accountID);
    stream = await Stream.open(one, page);
  });
  afterEach(() => stream.close());
  afterAll(async () => {
    await other?.close();
    await one?.close();
    await bus?.close();
    await postgres?.stop();
  });

  const post = async (gateway: TestGateway, path: string, body: object, by = account) =>
    (await gateway.http.post(path).set('Authorization', by.authorization).send(body)).body;

  /** Moves time by one interval and waits for the change. */
  const untilHeard = async (kind: string, id: string): Promise<void> => {
    const change = stream.change(kind, id);
    await clock.advance(sendMs);
    await change;
  };

  it('sends every created, changed and deleted row of the account, from any replica', async () => {
    const { room } = await post(other, '/v1/rooms', { action: 'create', userName: 'Ada' });
    await untilHeard('room', room.meetingID);
    const { domain } = await post(other, '/v1/domains', { action: 'create', domain: 'a.example.com' });
    await untilHeard('domain', domain.domainID);
    await post(other, '/v1/rooms', { action: 'end', meetingID: room.meetingID });
    await untilHeard('room', room.meetingID);
    await post(other, '/v1/domains', { action: 'delete', domainID: domain.domainID });
    await untilHeard('domain', domain.domainID);
  });

  it('sends nothing about another account', async () => {
    const stranger = await one.makeAccount();
    const foreign = await post(one, '/v1/rooms', { action: 'create', userName: 'Eve' }, stranger);
    await clock.advance(sendMs);
    const own = await post(one, '/v1/rooms', { action: 'create', userName: 'Ada' });
    await untilHeard('room', own.room.meetingID);
    expect(stream.text).not.toContain(foreign.room.meetingID);
  });

  it('ends with the session, on any replica', async () => {
    await page.at(other.url).send('delete', '/dashboard/api/session').expect(200);
    await clock.advance(sendMs);
    await expect(stream.over).resolves.toBeUndefined();
  });

  it('ends when the gateway stops', async () => {
    const third = await startTestGateway({ databaseUrl: one.config.databaseUrl, clock });
    const there = await Stream.open(third, page);
    await third.close();
    await expect(there.over).resolves.toBeUndefined();
  });

  it('limits the number of open pages', async () => {
    const open = Array.from({ length: 52 }, () =>
      fetch(`${one.url}/dashboard/api/events`, { headers: { Cookie: page.cookie } }),
    );
    const responses = await Promise.all(open);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
    for (const { body } of responses) await body?.cancel();
  });
});
