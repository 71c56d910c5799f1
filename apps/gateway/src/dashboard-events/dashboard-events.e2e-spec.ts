import { startPostgres, waitFor, type TestPostgres } from '@rtms/testing';
import { DashboardClient } from '../testing/dashboard-client.js';
import { migratedSchema, startTestGateway, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';

/** What a page reads of the stream. */
class Stream {
  text = '';
  isOver = false;
  private readonly ending = new AbortController();

  constructor(readonly response: Response) {
    void this.read().catch(() => (this.isOver = true));
  }

  static async open(gateway: TestGateway, { cookie }: DashboardClient): Promise<Stream> {
    const stream = new Stream(await fetch(`${gateway.url}/dashboard/api/events`, { headers: { Cookie: cookie } }));
    await waitFor(() => stream.text.includes('event: ready'), { what: 'that changes are watched' });
    return stream;
  }

  has(kind: string, id: string): boolean {
    return this.text.includes(JSON.stringify({ kind, id }));
  }

  async close(): Promise<void> {
    this.ending.abort();
    await waitFor(() => this.isOver, { what: 'the end of the stream' });
  }

  private async read(): Promise<void> {
    const reader = this.response.body!.getReader();
    this.ending.signal.addEventListener('abort', () => void reader.cancel());
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      this.text += Buffer.from(value).toString('utf8');
    }
    this.isOver = true;
  }
}

describe('what a page hears of its account', () => {
  let postgres: TestPostgres;
  let one: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let page: DashboardClient;
  let stream: Stream;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    const databaseUrl = postgres.url;
    one = await startTestGateway({ databaseUrl });
    other = await startTestGateway({ databaseUrl });
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
    await postgres?.stop();
  });

  const post = async (gateway: TestGateway, path: string, body: object, by = account) =>
    (await gateway.http.post(path).set('Authorization', by.authorization).send(body)).body;

  it('is everything that is made, changed or deleted, whatever replica does it', async () => {
    const { room } = await post(other, '/v1/rooms', { action: 'create', userName: 'Ada' });
    await waitFor(() => stream.has('room', room.meetingID), { what: 'the room' });
    const { domain } = await post(other, '/v1/domains', { action: 'create', domain: 'a.example.com' });
    await waitFor(() => stream.has('domain', domain.domainID), { what: 'the domain' });
    stream.text = '';
    await post(other, '/v1/rooms', { action: 'end', meetingID: room.meetingID });
    await waitFor(() => stream.has('room', room.meetingID), { what: 'the end of the room' });
    await post(other, '/v1/domains', { action: 'delete', domainID: domain.domainID });
    await waitFor(() => stream.has('domain', domain.domainID), { what: 'the deletion' });
  });

  it('is nothing of another account', async () => {
    const stranger = await one.makeAccount();
    const foreign = await post(one, '/v1/rooms', { action: 'create', userName: 'Eve' }, stranger);
    const own = await post(one, '/v1/rooms', { action: 'create', userName: 'Ada' });
    await waitFor(() => stream.has('room', own.room.meetingID), { what: 'its own room' });
    expect(stream.text).not.toContain(foreign.room.meetingID);
  });

  it('ends when the session does, on whatever replica', async () => {
    await page.at(other.url).send('delete', '/dashboard/api/session').expect(200);
    await waitFor(() => stream.isOver, { what: 'the end of the stream' });
  });

  it('ends when the gateway stops', async () => {
    const third = await startTestGateway({ databaseUrl: one.config.databaseUrl });
    const there = await Stream.open(third, page);
    await third.close();
    await waitFor(() => there.isOver, { what: 'the end of the stream' });
  });

  it('is heard by no more pages than there is room for', async () => {
    const open = Array.from({ length: 52 }, () =>
      fetch(`${one.url}/dashboard/api/events`, { headers: { Cookie: page.cookie } }),
    );
    const responses = await Promise.all(open);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(3);
    for (const { body } of responses) await body?.cancel();
  });
});
