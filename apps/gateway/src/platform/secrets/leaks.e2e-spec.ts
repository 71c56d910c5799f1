import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import {
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

/** Sends requests with secrets. No answer, no log line and no table may contain a secret. */
describe('secrets of requests', () => {
  const lines: string[] = [];
  const bodies: string[] = [];
  const planted: string[] = [];
  let gateway: TestGateway;
  let owner: TestAccount;

  /** A mask may show the last characters of a secret. Its middle must never appear. */
  const plant = (): string => {
    const middle = randomUUID();
    planted.push(middle);
    return `sk-${middle}-tail`;
  };

  const send = async (path: string, body: object | string, headers: Record<string, string> = {}) => {
    const request = gateway.http.post(path).set('Authorization', owner.authorization).set(headers);
    request.set('Content-Type', 'application/json').serialize(String);
    const response = await request.send(typeof body === 'string' ? body : JSON.stringify(body));
    bodies.push(JSON.stringify([response.headers, response.text]));
    return response;
  };
  const read = async (path: string) => {
    const response = await gateway.http.get(path).set('Authorization', owner.authorization);
    bodies.push(JSON.stringify([response.headers, response.text]));
    return response;
  };
  const credential = (fields: object = {}) => ({
    action: 'create',
    nickName: randomUUID(),
    kind: 'stt',
    provider: 'x',
    apiKey: plant(),
    ...fields,
  });
  const sipConfig = () => ({
    action: 'create',
    contactNumber: `+49${String(30_000_000 + planted.length)}`,
    peer: { host: 'sip.example', password: plant() },
    backupPeer: { host: 'backup.example', username: 'ada', password: plant() },
  });
  const expectNowhere = (texts: readonly string[]) => {
    const text = texts.join('\n');
    expect(planted.filter(each => text.includes(each))).toEqual([]);
    expect(text).not.toContain(owner.apiKey);
    expect(text).not.toContain(testAdminToken);
  };

  beforeAll(async () => {
    gateway = await startTestGateway({
      config: { logLevel: 'trace' },
      logDestination: { write: line => void lines.push(line) },
    });
    owner = await gateway.makeAccount();
    await sendGoodRequests();
    await sendBadRequests();
    await meetFailures();
  });
  afterAll(() => gateway.close());

  const sendGoodRequests = async () => {
    const once = { 'Idempotency-Key': randomUUID() };
    const asked = JSON.stringify(credential());
    const { body } = await send('/v1/aicredentials', asked, once);
    const { aiCredentialID } = body.aiCredential;
    await send('/v1/aicredentials', asked, once);
    await send('/v1/aicredentials', { action: 'update', aiCredentialID, apiKey: plant() });
    const made = await send('/v1/sipconfigs', sipConfig());
    const { sipConfigID } = made.body.sipConfig;
    await send('/v1/sipconfigs', { action: 'update', sipConfigID, peer: { host: 'a.example', password: plant() } });
    const room = await send('/v1/rooms', { action: 'create', userName: 'Ada', secureCode: plant() });
    const { meetingID } = room.body.room;
    await send('/v1/rooms', { action: 'join', meetingID, userName: 'Bob', secureCode: plant() });
    await read(`/v1/aicredentials?aiCredentialID=${aiCredentialID}`);
    await read(`/v1/sipconfigs?sipConfigID=${sipConfigID}`);
    for (const path of ['aicredentials', 'sipconfigs', 'rooms']) await read(`/v1/${path}`);
    await gateway.http.post('/admin/v1/secrets/rotate').set('Authorization', `Bearer ${testAdminToken}`).expect(200);
  };

  const sendBadRequests = async () => {
    await send('/v1/aicredentials', credential({ kind: 'unknown' }));
    await send('/v1/aicredentials', credential({ apiKey: [plant()] }));
    await send('/v1/aicredentials', credential({ apiKey: plant().repeat(200) }));
    await send('/v1/aicredentials', credential({ secret: plant() }));
    await send('/v1/aicredentials', credential({ baseUrl: `https://ada:${plant()}@ai.example` }));
    await send('/v1/aicredentials', `{"action":"create","apiKey":"${plant()}"`);
    await send('/v1/aicredentials', `{"action":"create","apiKey":"${plant()}","apiKey":"${plant()}"}`);
    await send('/v1/aicredentials', { ...credential(), action: 'paint' });
    await send('/v1/sipconfigs', { action: 'create', contactNumber: '+4930', peer: { password: plant() } });
    await send('/v1/sipconfigs', { action: 'create', contactNumber: '+49301234567', peer: plant() });
    await send('/v1/unknown', { apiKey: plant() });
    await read(`/v1/aicredentials?apiKey=${plant()}`);
    await read(`/v1/unknown?token=${plant()}`);
    const wrong = `Bearer ${owner.apiUserName}:${plant()}`;
    const refused = await gateway.http.get('/v1/rooms').set('Authorization', wrong).expect(401);
    bodies.push(refused.text);
  };

  /** Messages of PostgreSQL quote the refused row. */
  const meetFailures = async () => {
    await gateway.asOwner(`ALTER TABLE ai_credentials ADD CONSTRAINT unlucky CHECK (provider <> 'unlucky')`);
    await gateway.asOwner(`ALTER TABLE sip_configs ADD CONSTRAINT unlucky CHECK (contact_number = '') NOT VALID`);
    const failed = [
      await send('/v1/aicredentials', credential({ provider: 'unlucky' })),
      await send('/v1/sipconfigs', sipConfig()),
    ];
    expect(failed.map(({ status }) => status)).toEqual([500, 500]);
  };

  it('are in no answer', () => {
    expect(bodies.length).toBeGreaterThan(25);
    expectNowhere(bodies);
  });

  it('are in no log line', () => {
    expect(lines.length).toBeGreaterThan(25);
    expectNowhere(lines);
  });

  it('are in no table as plain text', async () => {
    const database = gateway.app.get(DataSource);
    const tables = await database.query<{ name: string }[]>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const written: string[] = [];
    for (const { name } of tables) {
      const rows = await database.query<Record<string, unknown>[]>(`SELECT * FROM ${name}`);
      const values = rows.flatMap(row => Object.values(row));
      written.push(...values.map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))));
    }
    expect(tables.length).toBeGreaterThan(10);
    expectNowhere(written);
  });
});
