import { waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { AdminClient } from '../../admin/cli/admin-client.js';
import { adminProgram } from '../../admin/cli/admin-program.js';
import { MediaTestBed, meteringLookMs } from '../../testing/media-test-bed.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('balance and entitlements of an account', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
  });

  const administer = async (path: string, body?: object) => {
    const address = `/admin/v1/accounts/${bed.account.accountID}${path}`;
    const request = body === undefined ? bed.gateway.http.get(address) : bed.gateway.http.put(address).send(body);
    const { status, body: answer } = await request.set('Authorization', `Bearer ${testAdminToken}`);
    return { status, body: answer as Record<string, unknown> };
  };
  const setMinutes = (minutes: object) => administer('/balance', { type: 'sandbox', ...minutes });
  const room = async () => {
    const { body } = await bed.request('get', `/v1/rooms?meetingID=${bed.meetingID}`);
    return body['room'] as { state: string; endReason: string | null };
  };
  const exhausted = { status: 403, body: { success: false, code: 'FORBIDDEN', reason: 'balance_exhausted' } };
  const camera = { displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video', 'audio'] } };

  describe('the balance', () => {
    it('is shown in whole minutes', async () => {
      await setMinutes({ meetingMinutes: 7, recordingMinutes: 3 });
      expect((await bed.request('get', '/v1/balance?action=get')).body).toEqual({
        success: true,
        balance: {
          sandbox: { meetingMinutes: 7, recordingMinutes: 3 },
          production: { meetingMinutes: 100_000, recordingMinutes: 10_000 },
        },
      });
    });

    it('is set by the administrator, each part separately', async () => {
      await setMinutes({ meetingMinutes: 12 });
      const { body } = await setMinutes({ recordingMinutes: 5 });
      expect(body['balance']).toMatchObject({ sandbox: { meetingMinutes: 12, recordingMinutes: 5 } });
    });

    it('is exactly the set value during a concurrent charge', async () => {
      const database = bed.gateway.app.get(DataSource);
      // The interval belongs to an unknown node, so that no other settlement charges it.
      await database.query(
        `INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, metered_until)
         VALUES ($1, 'sandbox', $2, $2, 'external_session', $3, $3)`,
        [bed.account.accountID, bed.meetingID, bed.date(-300_000)],
      );
      let set: ReturnType<typeof setMinutes> | undefined;
      await database.transaction(async settlement => {
        const values = [bed.meetingID, bed.date()];
        await settlement.query('UPDATE usage_intervals SET metered_until = $2 WHERE resource_id = $1', values);
        await settlement.query('UPDATE balances SET meeting_ms = meeting_ms - 300000 WHERE account_id = $1', [
          bed.account.accountID,
        ]);
        set = setMinutes({ meetingMinutes: 3 }).then(answer => answer);
        await waitFor(async () => (await database.query<unknown[]>(waiting)).length > 0, { what: 'it to wait' });
      });
      await set;
      const { body } = await administer('/balance');
      const { sandbox } = body['balance'] as { sandbox: { meetingMinutes: number } };
      expect(sandbox.meetingMinutes).toBe(3);
    });

    it('can be set with rtms-admin', async () => {
      const answers: object[] = [];
      const client = () => new AdminClient({ url: bed.gateway.url, token: testAdminToken });
      const program = adminProgram({ client, print: answer => answers.push(answer) });
      const { accountID } = bed.account;
      const run = (...words: string[]) => program.parseAsync(['node', 'rtms-admin', ...words]);
      await run('minutes', 'set', accountID, 'production', '--meeting', '4');
      await run('entitlements', 'set', accountID, 'hls', 'off');
      expect(answers).toMatchObject([
        { balance: { production: { meetingMinutes: 4 } } },
        { entitlements: { whip: true, whep: true, hls: false, recording: true } },
      ]);
    });

    it.each([
      ['a fraction', { meetingMinutes: 1.5 }],
      ['less than nothing', { meetingMinutes: -1 }],
      ['text', { recordingMinutes: '5' }],
      ['an unknown type', { type: 'trial' }],
    ])('cannot be set to %s', async (_, change) => {
      expect((await setMinutes(change)).status).toBe(400);
    });

    it('of an unknown account is not found', async () => {
      bed.account = { ...bed.account, accountID: 'acct_unknown' };
      expect((await administer('/balance')).status).toBe(404);
      expect((await setMinutes({ meetingMinutes: 1 })).status).toBe(404);
      expect((await administer('/entitlements')).status).toBe(404);
    });
  });

  describe('without minutes', () => {
    it('no session, room or recording starts', async () => {
      const sessionID = await bed.openActiveSession();
      await setMinutes({ meetingMinutes: 0 });
      const create = { action: 'create', userName: 'Ada' };
      const join = { action: 'join', userName: 'Grace', meetingID: bed.meetingID };
      expect(await bed.request('post', '/v1/rooms', create)).toMatchObject(exhausted);
      const declined = await Promise.all([
        bed.request('post', '/v1/rooms', join),
        bed.post('external-sessions', camera),
        bed.post('playbacks', { sourceSessionID: sessionID, tracks: ['video'] }),
        bed.post('broadcasts', { sourceSessionID: sessionID }),
      ]);
      for (const { status, body } of declined) {
        expect(['balance_exhausted', 'room_ended']).toContain(body.reason);
        expect([403, 409]).toContain(status);
      }
    });

    it('active rooms end with all their resources', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await setMinutes({ meetingMinutes: 0 });
      await bed.advance(meteringLookMs);
      expect(await room()).toMatchObject({ state: 'ended', endReason: 'balance_exhausted' });
      const ended = { state: 'ended', endReason: 'room_ended' };
      expect(await bed.get('external-sessions', sessionID)).toMatchObject(ended);
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject(ended);
      expect(bed.sfu.sessions.size).toBe(0);
    });

    it('of one key type, rooms of the other type continue', async () => {
      await administer('/balance', { type: 'production', meetingMinutes: 0 });
      const sessionID = await bed.openActiveSession();
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
      expect((await room()).state).toBe('active');
    });

    it('new minutes allow new resources', async () => {
      await setMinutes({ meetingMinutes: 0 });
      await bed.advance(meteringLookMs);
      expect((await room()).state).toBe('ended');
      await setMinutes({ meetingMinutes: 1 });
      bed.meetingID = await bed.createRoom();
      expect((await bed.post('external-sessions', camera)).status).toBe(201);
    });
  });

  describe('without an entitlement', () => {
    const refused = { status: 403, body: { success: false, code: 'FORBIDDEN', reason: 'not_entitled' } };

    it.each([
      ['whip', 'external-sessions', () => camera],
      ['whep', 'playbacks', (sourceSessionID: string) => ({ sourceSessionID, tracks: ['video'] })],
      ['hls', 'broadcasts', (sourceSessionID: string) => ({ sourceSessionID })],
    ] as const)('%s is refused, and allowed again when it is granted', async (entitlement, collection, bodyOf) => {
      const body = bodyOf(await bed.openActiveSession());
      await administer('/entitlements', { entitlement, granted: false });
      expect(await bed.post(collection, body)).toMatchObject(refused);
      await administer('/entitlements', { entitlement, granted: true });
      expect((await bed.post(collection, body)).status).toBe(201);
    });

    it('nobody records', async () => {
      await administer('/entitlements', { entitlement: 'recording', granted: false });
      const start = { action: 'start', meetingID: bed.meetingID };
      expect(await bed.request('post', '/v1/recordings', start)).toMatchObject(refused);
    });
  });
});
