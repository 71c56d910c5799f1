import { DataSource } from 'typeorm';
import type { KeyType } from './platform/auth/caller.js';
import { OpenApiController } from './platform/openapi/openapi.controller.js';
import { DashboardClient } from './testing/dashboard-client.js';
import { MediaTestBed } from './testing/media-test-bed.js';
import { OwnedRecords, resources, titleOf, type CallAnswer } from './testing/owned-records.js';
import { requestSamples } from './testing/request-samples.js';
import type { TestAccount } from './testing/start-test-gateway.js';

/** Records that both environments of an account share. */
const sharedIDs = Object.entries(resources)
  .map(([, { id }]) => id)
  .filter(id => !['meetingID', 'recordingID', 'webhookID'].includes(id));

const lists = ['/v1/rooms', '/v1/recordings', '/v1/room/logs', '/v1/sipcall/logs', '/v1/webhooks'];

describe('the two environments of an account', () => {
  let bed: MediaTestBed;
  let records: OwnedRecords;
  let sandbox: TestAccount;
  let production: TestAccount;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 30 } });
    sandbox = bed.account;
    production = await bed.gateway.makeKey(sandbox, 'production');
    records = new OwnedRecords(bed);
    await records.make();
    await insertLogged(bed.meetingID, 'sandbox');
  });
  afterAll(() => bed?.close());

  const query = (statement: string, parameters: unknown[]) =>
    bed.gateway.app.get(DataSource).query<unknown>(statement, parameters);
  const insertLogged = async (meetingID: string, suffix: string): Promise<void> => {
    const parameters = [suffix, sandbox.accountID, meetingID];
    await query(
      `INSERT INTO room_messages (id, account_id, meeting_id, sender_id, sender_name, message)
       VALUES ('msg_' || $1, $2, $3, 'part_1', 'Ann', 'Hello')`,
      parameters,
    );
    await query(
      `INSERT INTO sip_calls (id, account_id, meeting_id, direction, caller_number, callee_number, state)
       VALUES ('sip_' || $1, $2, $3, 'incoming', '+491', '+492', 'ended')`,
      parameters,
    );
  };
  const send = (account: TestAccount, path: string, body: object): Promise<CallAnswer> =>
    records.ask(account, { method: 'POST', path, body });
  const read = (account: TestAccount, path: string, filter: Record<string, string> = {}): Promise<CallAnswer> =>
    records.ask(account, { method: 'GET', path, query: { envelope: '1', ...filter } });
  const stateOfRoom = async () => {
    const { body } = await read(sandbox, '/v1/rooms', { meetingID: bed.meetingID });
    const sessions = await records.ask(sandbox, { method: 'GET', path: bed.path('external-sessions') });
    return JSON.stringify([body, sessions.body]);
  };

  it('have a call for each documented route that names something of a room', () => {
    const document = bed.gateway.app.get(OpenApiController, { strict: false }).document('public');
    const tested = new Set(
      records.routes().map(({ path }) => path.replace(/\/@.*$/, '').replaceAll(/:(\w+)/g, '{$1}')),
    );
    const ofRooms = requestSamples(document).filter(({ template, parameters, body }) => {
      const names = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
      const isRoute = template.startsWith('/v1/') && !/\/(?:logs|events)$/.test(template);
      return isRoute && names.some(name => /[a-z]ID$/.test(name) && !sharedIDs.includes(name));
    });
    expect(ofRooms.length).toBeGreaterThan(20);
    expect(ofRooms.map(({ template }) => template).filter(template => !tested.has(template))).toEqual([]);
  });

  it('answer 404 for a room, and for all that belongs to it, to a key of the other one', async () => {
    const before = await stateOfRoom();
    const [owned, unknown] = [records.ids, records.unknownIDs()];
    const ofRooms = records
      .routes()
      .filter(route => records.roomIDs().some(id => JSON.stringify(records.callOf(route, owned)).includes(id)));
    expect(ofRooms.length).toBeGreaterThan(25);
    const reached: unknown[] = [];
    for (const route of ofRooms) {
      const answer = await records.ask(production, records.callOf(route, owned)!);
      const missing = await records.ask(production, records.callOf(route, unknown)!);
      if (answer.status !== 404 || JSON.stringify(answer) !== JSON.stringify(missing))
        reached.push({ route: titleOf(route), answer, missing });
    }
    expect(reached).toEqual([]);
    expect(await stateOfRoom()).toBe(before);
  });

  it('share what belongs to the account', async () => {
    const shared = Object.entries(resources).filter(([, { id }]) => sharedIDs.includes(id));
    for (const [path, { id }] of shared) {
      const { status } = await read(production, path, { [id]: records.ids[id]! });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  it.each(lists)('list and count what is theirs alone at %s', async path => {
    const mine = await read(sandbox, path);
    expect(mine.body['total']).toBeGreaterThan(0);
    expect((await read(production, path)).body['total']).toBe(0);
    if (path === '/v1/webhooks') return;
    const ofRoom = await read(production, path, { meetingID: bed.meetingID });
    expect(path === '/v1/rooms' ? ofRoom.status : ofRoom.body['total']).toBe(path === '/v1/rooms' ? 404 : 0);
  });

  it('page through their own rows only', async () => {
    const account = await bed.gateway.makeAccount();
    const keys = { sandbox: account, production: await bed.gateway.makeKey(account, 'production') };
    const made: Record<KeyType, string[]> = { sandbox: [], production: [] };
    for (const type of ['sandbox', 'production', 'sandbox', 'sandbox', 'production'] as const) {
      const { body } = await send(keys[type], '/v1/rooms', { action: 'create', userName: 'Ann' });
      made[type].unshift((body['room'] as { meetingID: string }).meetingID);
      await bed.advance(1);
    }
    for (const type of ['sandbox', 'production'] as const) {
      const filter = { state: 'active', startIndex: '1', pageSize: '1' };
      const { body } = await read(keys[type], '/v1/rooms', filter);
      expect(body['total']).toBe(made[type].length);
      expect((body['rooms'] as { meetingID: string }[]).map(room => room.meetingID)).toEqual(made[type].slice(1, 2));
    }
  });

  it('may have rooms of the same name', async () => {
    const room = { action: 'create', userName: 'Ann', roomName: 'Stage' };
    for (const account of [sandbox, production]) expect((await send(account, '/v1/rooms', room)).status).toBe(201);
    for (const account of [sandbox, production]) expect((await send(account, '/v1/rooms', room)).status).toBe(409);
  });

  it('keep a deleted recording to themselves', async () => {
    const recordingID = 'rec_toDelete00000000000';
    await query(`INSERT INTO recordings (id, account_id, meeting_id, state) VALUES ($1, $2, $3, 'failed')`, [
      recordingID,
      sandbox.accountID,
      bed.meetingID,
    ]);
    const remove = (account: TestAccount) => send(account, '/v1/recordings', { action: 'delete', recordingID });
    expect((await remove(production)).status).toBe(404);
    expect((await remove(sandbox)).status).toBe(200);
    expect((await remove(sandbox)).status).toBe(200);
    expect((await remove(production)).status).toBe(404);
  });

  it('give no answer of one to a repeat by a key of the other', async () => {
    const body = { action: 'create', userName: 'Ann' };
    const repeat = async ({ authorization }: TestAccount): Promise<string> => {
      const headers = { Authorization: authorization, 'Idempotency-Key': 'same' };
      const answer = await bed.gateway.http.post('/v1/rooms').set(headers).send(body).expect(201);
      return (answer.body as { room: { meetingID: string } }).room.meetingID;
    };
    const first = await repeat(sandbox);
    expect(await repeat(production)).not.toBe(first);
    expect(await repeat(sandbox)).toBe(first);
  });

  describe('make keys', () => {
    const disposable = { name: '', operations: ['readRooms', 'manageKeys', 'createRoom'] };
    const create = (account: TestAccount, type: KeyType, name: string) =>
      send(account, '/v1/disposable-keys', { action: 'create', ...disposable, name, type });
    const keyOf = ({ body }: CallAnswer): TestAccount => {
      const { apiKey } = body['disposableKey'] as { apiKey: string };
      return { ...sandbox, apiKey, authorization: `Bearer ${sandbox.apiUserName}:${apiKey}` };
    };
    const refused = { status: 403, body: expect.objectContaining({ reason: 'operation_not_granted' }) as object };

    it('of their own type only', async () => {
      expect(await create(sandbox, 'production', 'a')).toEqual(refused);
      expect(await create(production, 'sandbox', 'b')).toEqual(refused);
      const made = keyOf(await create(production, 'production', 'c'));
      expect(await create(made, 'sandbox', 'd')).toEqual(refused);
      const { body } = await send(made, '/v1/rooms', { action: 'create', userName: 'Ann' });
      expect(body['room']).toMatchObject({ keyType: 'production' });
      expect((await read(made, '/v1/rooms', { meetingID: bed.meetingID })).status).toBe(404);
    });

    it('and neither change nor revoke those of the other type', async () => {
      const { body } = await create(production, 'production', 'live');
      const { keyID } = body['disposableKey'] as { keyID: string };
      for (const change of [{ action: 'update', name: 'mine' }, { action: 'delete' }]) {
        expect(await send(sandbox, '/v1/disposable-keys', { ...change, keyID })).toEqual(refused);
        expect((await send(production, '/v1/disposable-keys', { ...change, keyID })).status).toBe(200);
      }
    });

    it('of sub-users in their own environment only', async () => {
      const subUser = { action: 'create', name: 'Bob', email: 'bob@example.com', permissions: ['readRooms'] };
      const { body } = await send(production, '/v1/subusers', subUser);
      const made = body['subUser'] as { subUserID: string; apiUserName: string; apiKeys: Record<string, string> };
      expect(Object.keys(made.apiKeys)).toEqual(['production']);
      const authorization = `Bearer ${made.apiUserName}:${made.apiKeys['production']}`;
      expect((await read({ ...sandbox, authorization }, '/v1/rooms', { meetingID: bed.meetingID })).status).toBe(404);
      const rotate = { action: 'rotateKey', subUserID: made.subUserID, type: 'sandbox' };
      expect(await send(production, '/v1/subusers', rotate)).toEqual(refused);
      const issued = await send(sandbox, '/v1/subusers', rotate);
      const { apiKey } = issued.body['key'] as { apiKey: string };
      const own = { ...sandbox, authorization: `Bearer ${made.apiUserName}:${apiKey}` };
      expect((await read(own, '/v1/rooms', { meetingID: bed.meetingID })).status).toBe(200);
    });
  });

  describe('in the dashboard', () => {
    let page: DashboardClient;

    beforeAll(async () => {
      page = await DashboardClient.signedIn(bed.gateway, sandbox.accountID);
    });

    const total = async (path: string, headers = {}): Promise<number> => {
      const { body } = await page.get(`${path}?envelope=1`, headers).expect(200);
      return body.total as number;
    };

    it.each(lists)('stand side by side at %s, and apart when one is chosen', async path => {
      const of = async (environment: KeyType) => total(path, { 'X-RTMS-Environment': environment });
      expect(await total(path)).toBe((await of('sandbox')) + (await of('production')));
      expect(await of('sandbox')).toBe((await read(sandbox, path)).body['total']);
      expect(await of('production')).toBe((await read(production, path)).body['total']);
    });

    it('are reached by name, unless the other one is chosen', async () => {
      const path = `/v1/rooms?meetingID=${bed.meetingID}`;
      await page.get(path).expect(200);
      await page.get(path, { 'X-RTMS-Environment': 'sandbox' }).expect(200);
      await page.get(path, { 'X-RTMS-Environment': 'production' }).expect(404);
    });

    it('both get keys', async () => {
      for (const type of ['sandbox', 'production']) {
        const key = { action: 'create', name: `by page ${type}`, type, operations: ['readRooms'] };
        await page.send('post', '/v1/disposable-keys', key).expect(201);
      }
      const subUser = { action: 'create', name: 'Eve', email: 'eve@example.com' };
      const { body } = await page.send('post', '/v1/subusers', subUser).expect(201);
      expect(Object.keys(body.subUser.apiKeys as object)).toEqual(['sandbox', 'production']);
    });
  });
});
