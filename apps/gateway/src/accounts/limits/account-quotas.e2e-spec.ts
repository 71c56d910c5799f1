import { waitFor } from '@rtms/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';
import { testAdminToken, type TestAccount, type TestGateway, TestReplicas } from '../../testing/start-test-gateway.js';

describe('the quotas of an account', () => {
  const config = { accountLimits: { activeRooms: 3, keys: 4 } };
  let replicas: TestReplicas;
  let gateway: TestGateway;
  let replica: TestGateway;
  let account: TestAccount;

  beforeAll(async () => {
    replicas = await TestReplicas.start({ config });
    ({ gateway, replica } = replicas);
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
  });
  afterAll(() => replicas?.close());

  const post = (path: string, body: object, { at = gateway, as = account } = {}) =>
    at.http.post(path).set('Authorization', as.authorization).send(body);
  const createRoom = (options = {}) => post('/v1/rooms', { action: 'create', userName: 'Ann' }, options);
  const setLimits = (limits: object) =>
    gateway.http
      .put(`/admin/v1/accounts/${account.accountID}/limits`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .send(limits)
      .expect(200);
  /** Connections that wait for a lock. */
  const blocked = async (): Promise<number> => {
    const statement = `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    const [row] = await gateway.app.get(DataSource).query<{ waiting: number }[]>(statement);
    return row?.waiting ?? 0;
  };
  const statusCounts = (answers: readonly { status: number }[]) =>
    [201, 403].map(status => answers.filter(each => each.status === status).length);

  describe('of active rooms', () => {
    it('holds for concurrent requests to several gateways', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => createRoom({ at: n % 2 === 0 ? gateway : replica })),
      );
      expect(statusCounts(answers)).toEqual([3, 17]);
    });

    it('gives each of many concurrent requests its own room or failure, and its own event', async () => {
      const names = ['same', 'same', 'other', 'same', 'last', 'late', 'later'];
      const answers = await Promise.all(
        names.map((roomName, n) =>
          post('/v1/rooms', { action: 'create', userName: 'Ann', roomName }).set('X-Request-Id', `request-${n}`),
        ),
      );
      const created = answers.filter(({ status }) => status === 201);
      const reasons = answers.map(({ body }, n) => [names[n], body.reason as string | undefined]);
      expect(created).toHaveLength(3);
      expect(new Set(created.map(({ body }) => body.room.roomName)).size).toBe(3);
      expect(reasons.filter(([, reason]) => ![undefined, 'name_taken', 'limit_reached'].includes(reason))).toEqual([]);
      expect(reasons.filter(([name, reason]) => reason === 'name_taken' && name !== 'same')).toEqual([]);
      const events = await gateway.app.get(DataSource).query<{ id: string; request: string }[]>(
        `SELECT resource_id AS id, request_id AS request FROM event_outbox WHERE account_id = $1 AND kind = 'room'
           UNION SELECT resource_id, request_id FROM account_events WHERE account_id = $1 AND resource_kind = 'room'`,
        [account.accountID],
      );
      const expected = answers.flatMap(({ status, body }, n) =>
        status === 201 ? [{ id: body.room.meetingID as string, request: `request-${n}` }] : [],
      );
      const byID = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
      expect(events.sort(byID)).toEqual(expected.sort(byID));
    });

    /** The answer to a request for a room that waits while the test locks and changes the account. */
    const createMeanwhile = async (statement: string, more: () => Promise<unknown>): Promise<unknown> => {
      const holder = new pg.Client({ connectionString: gateway.ownerUrl });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(statement, [account.accountID]);
        const created = createRoom({ at: replica }).then(({ body }) => body as { reason?: string });
        await waitFor(async () => (await blocked()) > 0);
        await more();
        await holder.query('COMMIT');
        return (await created).reason;
      } finally {
        await holder.end();
      }
    };

    it('is checked under the lock of the account, with the limit of that moment', async () => {
      const lock = 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
      expect(await createMeanwhile(lock, () => setLimits({ activeRooms: 0 }))).toBe('limit_reached');
    });

    it('refuses an account that is disabled meanwhile', async () => {
      const disable = `UPDATE accounts SET state = 'disabled' WHERE id = $1`;
      expect(await createMeanwhile(disable, () => Promise.resolve())).toBe('account_disabled');
    });

    it('names the limit, its value and the remedy', async () => {
      await setLimits({ activeRooms: 0 });
      const { body } = await createRoom().expect(403);
      expect(body).toMatchObject({
        success: false,
        code: 'FORBIDDEN',
        reason: 'limit_reached',
        limit: { name: 'activeRooms', value: 0 },
      });
      expect(body.error).toMatch(/limit activeRooms.*0 active rooms.*platform.s administrator/);
    });

    it('allows another room when a room ends', async () => {
      await setLimits({ activeRooms: 1 });
      const { meetingID } = (await createRoom().expect(201)).body.room;
      await createRoom().expect(403);
      await post('/v1/rooms', { action: 'end', meetingID }).expect(200);
      await createRoom().expect(201);
    });

    it('counts both environments together, and each account separately', async () => {
      await setLimits({ activeRooms: 1 });
      await createRoom().expect(201);
      await createRoom({ as: await gateway.makeKey(account, 'production') }).expect(403);
      await createRoom({ as: await gateway.makeAccount() }).expect(201);
    });

    it('follows a change by the administrator at once, on every gateway', async () => {
      await setLimits({ activeRooms: 0 });
      await createRoom({ at: replica }).expect(403);
      await setLimits({ activeRooms: null });
      await createRoom({ at: replica }).expect(201);
    });
  });

  describe('of keys', () => {
    const key = (name: string) => ({
      action: 'create',
      name,
      type: 'sandbox',
      operations: ['readRooms'],
      validityDays: 1,
    });
    const subUser = (name: string) => ({ action: 'create', name, email: `${name}@example.com`, permissions: [] });

    it('holds for concurrent disposable keys and sub-users together', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => {
          const at = n % 2 === 0 ? gateway : replica;
          if (n % 3 === 0) return post('/v1/subusers', subUser(`u${n}`), { at });
          return post('/v1/disposable-keys', key(`k${n}`), { at });
        }),
      );
      expect(statusCounts(answers)).toEqual([4, 8]);
      const refused = answers.find(({ status }) => status === 403);
      expect(refused?.body).toMatchObject({ reason: 'limit_reached', limit: { name: 'keys', value: 4 } });
    });

    it('creates no sub-user without its key', async () => {
      await setLimits({ keys: 0 });
      await post('/v1/subusers', subUser('gil')).expect(403);
      const { body } = await gateway.http.get('/v1/subusers').set('Authorization', account.authorization).expect(200);
      expect(body.total).toBe(0);
    });

    it('allows another key after a revocation, but no longer validity for an expired key', async () => {
      await setLimits({ keys: 1 });
      const { keyID } = (await post('/v1/disposable-keys', key('one')).expect(201)).body.disposableKey;
      await expire(keyID);
      await post('/v1/disposable-keys', key('two')).expect(201);
      const longer = { action: 'update', keyID, validityDays: null };
      expect((await post('/v1/disposable-keys', longer).expect(403)).body.reason).toBe('limit_reached');
      // A change that makes no expired key valid adds nothing to the quota.
      await post('/v1/disposable-keys', { action: 'update', keyID, name: 'renamed' }).expect(200);
    });

    it('refuses only rotations that leave the former key of a sub-user valid', async () => {
      const { subUserID } = (await post('/v1/subusers', subUser('hal')).expect(201)).body.subUser;
      await setLimits({ keys: 0 });
      const rotate = (overlapHours: number) =>
        post('/v1/subusers', { action: 'rotateKey', subUserID, type: 'sandbox', overlapHours });
      expect((await rotate(1).expect(403)).body.reason).toBe('limit_reached');
      await rotate(0).expect(200);
    });

    it('never refuses the rotation of a main key', async () => {
      await setLimits({ keys: 0 });
      await gateway.http
        .post(`/admin/v1/accounts/${account.accountID}/keys/rotate`)
        .set('Authorization', `Bearer ${testAdminToken}`)
        .send({ type: 'sandbox', overlapHours: 72 })
        .expect(201);
    });

    const expire = (keyID: string) =>
      gateway.app
        .get(DataSource)
        .query(
          `UPDATE disposable_keys SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day' WHERE id = $1`,
          [keyID],
        );
  });
});

describe('the quota of external sessions', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { accountLimits: { sessionsPerRoom: 2, sessionsPerAccount: 3 } } });
  });
  afterAll(() => bed?.close());

  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
  });

  const open = (meetingID: string, at = bed.gateway) =>
    at.http
      .post(`/v1/meetings/${meetingID}/external-sessions`)
      .set('Authorization', bed.account.authorization)
      .send({ displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video'] } });

  it('holds in each room and in the account, for concurrent requests', async () => {
    const rooms = [bed.meetingID, await bed.createRoom(), await bed.createRoom()];
    const [first = '', ...others] = rooms;
    const inOne = await Promise.all(Array.from({ length: 6 }, () => open(first)));
    await bed.settled();
    expect(inOne.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403]);
    expect(inOne.find(({ status }) => status === 403)?.body.limit).toEqual({ name: 'sessionsPerRoom', value: 2 });
    const inOthers = await Promise.all([...others, ...others].map(room => open(room)));
    await bed.settled();
    expect(inOthers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    expect(inOthers.find(({ status }) => status === 403)?.body.limit).toEqual({ name: 'sessionsPerAccount', value: 3 });
    const { sessionID } = inOne.find(({ status }) => status === 201)!.body.externalSession;
    await bed.remove('external-sessions', sessionID as string);
    expect((await open(first)).status).toBe(201);
    await bed.settled();
  });

  it('holds for concurrent requests to several gateways in many rooms', async () => {
    const replica = await bed.startReplica();
    const rooms = await Promise.all(Array.from({ length: 6 }, () => bed.createRoom()));
    const answers = await Promise.all(
      [...rooms, ...rooms, ...rooms].map((room, n) => open(room, n % 2 === 0 ? bed.gateway : replica)),
    );
    await bed.settled();
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.reason)).toEqual(Array(15).fill('limit_reached'));
    const stored = await bed.gateway.app
      .get(DataSource)
      .query<{ id: string }[]>('SELECT id FROM external_sessions WHERE account_id = $1', [bed.account.accountID]);
    expect(stored.map(({ id }) => id).sort()).toEqual(created.map(({ body }) => body.externalSession.sessionID).sort());
  });

  it('refuses a session for a full room, and opens the others that arrive with it', async () => {
    await bed.gateway.http
      .put(`/admin/v1/accounts/${bed.account.accountID}/limits`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .send({ sessionsPerAccount: 10 })
      .expect(200);
    const full = await bed.createRoom({ capacity: 2 });
    expect((await open(full)).status).toBe(201);
    const answers = await Promise.all([bed.meetingID, full, await bed.createRoom(), full].map(room => open(room)));
    await bed.settled();
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
      [201, undefined],
      [409, 'capacity_reached'],
      [201, undefined],
      [409, 'capacity_reached'],
    ]);
  });

  it('lets only its own session wait for a room that another transaction has locked', async () => {
    const locked = await bed.createRoom();
    const holder = new pg.Client({ connectionString: bed.gateway.ownerUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM rooms WHERE id = $1 FOR UPDATE', [locked]);
      const [waiting, other] = [locked, bed.meetingID].map(room => open(room).then(({ status }) => status));
      expect(await other).toBe(201);
      await holder.query('COMMIT');
      expect(await waiting).toBe(201);
    } finally {
      await holder.end();
      await bed.settled();
    }
  });
});

describe('the quota of compositions', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { accountLimits: { compositionsPerAccount: 2 } } });
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
  });

  const record = (meetingID: string, fields = {}) =>
    bed.request('post', '/v1/recordings', { action: 'start', meetingID, ...fields });
  const broadcast = (meetingID: string, layout: string) =>
    bed.request('post', `/v1/meetings/${meetingID}/broadcasts`, { layout });
  const idOf = ({ body }: { body: object }, of: 'recording' | 'broadcast') =>
    (body as Record<string, Record<string, string>>)[of]?.[`${of}ID`] ?? '';
  const limit = { name: 'compositionsPerAccount', value: 2 };

  it('holds for concurrent recordings and broadcasts together', async () => {
    const rooms = [bed.meetingID, await bed.createRoom(), await bed.createRoom()];
    const answers = await Promise.all(rooms.flatMap(room => [record(room), broadcast(room, 'grid')]));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status >= 300);
    expect(refused.map(({ status, body }) => [status, body.reason])).toEqual(Array(4).fill([403, 'limit_reached']));
    expect(refused[0]?.body['limit']).toEqual(limit);
  });

  it('has a place again at the end of each', async () => {
    const recordingID = idOf(await record(bed.meetingID), 'recording');
    const broadcastID = idOf(await broadcast(bed.meetingID, 'grid'), 'broadcast');
    expect((await broadcast(bed.meetingID, 'speaker')).body['limit']).toEqual(limit);
    await bed.request('post', '/v1/recordings', { action: 'stop', recordingID });
    const speakerID = idOf(await broadcast(bed.meetingID, 'speaker'), 'broadcast');
    expect(speakerID).not.toBe('');
    expect((await record(bed.meetingID)).body['limit']).toEqual(limit);
    await bed.remove('broadcasts', broadcastID);
    expect((await record(bed.meetingID)).status).toBe(200);
  });

  it('counts no recordings and broadcasts of one source, and each account separately', async () => {
    const [sourceSessionID, third] = [await bed.openActiveSession(), await bed.openActiveSession()];
    expect((await record(bed.meetingID)).status).toBe(200);
    expect((await broadcast(bed.meetingID, 'grid')).status).toBe(201);
    expect((await record(bed.meetingID, { sourceSessionID })).status).toBe(200);
    expect((await bed.post('broadcasts', { sourceSessionID: third })).status).toBe(201);
    bed.account = await bed.gateway.makeAccount();
    expect((await record(await bed.createRoom())).status).toBe(200);
  });

  it('lets recordOnStart wait for a place', async () => {
    const broadcastIDs = await Promise.all(
      ['grid', 'speaker'].map(async layout => idOf(await broadcast(bed.meetingID, layout), 'broadcast')),
    );
    const busy = bed.meetingID;
    bed.meetingID = await bed.createRoom({ recordOnStart: true });
    await bed.openActiveSession();
    const recordings = async () => {
      await bed.advance(2 * sweepMs);
      return (await bed.request('get', `/v1/recordings?meetingID=${bed.meetingID}`)).body['recordings'];
    };
    expect(await recordings()).toEqual([]);
    await bed.request('delete', `/v1/meetings/${busy}/broadcasts/${broadcastIDs[0]}`);
    expect(await recordings()).toMatchObject([{ layout: 'grid' }]);
  });
});
