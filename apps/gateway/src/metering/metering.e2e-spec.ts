/** @weight 0.4 */
import { waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../database/data-source.js';
import { BalancesService } from '../balance/balances.service.js';
import { MediaTestBed } from '../testing/media-test-bed.js';
import { startTestGateway } from '../testing/start-test-gateway.js';
import { Settlement } from './settlement.service.js';

interface LedgerRow {
  started_at: Date;
  ended_at: Date | null;
  metered_until: Date;
  settled: boolean;
}

const initialMs = 100_000 * 60_000;
const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

describe('metering', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    // Who is to come back has the time for it, and what this adds to a bill is near enough.
    bed = await MediaTestBed.start({ config: { graceSeconds: 5 } });
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    await query(`UPDATE rooms SET created_at = now() - interval '1 hour' WHERE id = $1`, [bed.meetingID]);
  });

  const query = <Row>(sql: string, parameters: unknown[]): Promise<Row[]> =>
    bed.gateway.app.get(DataSource).query<Row[]>(sql, parameters);
  const ledger = (sessionID: string): Promise<LedgerRow[]> =>
    query<LedgerRow>('SELECT * FROM usage_intervals WHERE resource_id = $1 ORDER BY id', [sessionID]);
  const settled = async (): Promise<number> => {
    const [row] = await query<{ ms: string }>(
      `SELECT meeting_ms AS ms FROM balances WHERE account_id = $1 AND key_type = 'sandbox'`,
      [bed.account.accountID],
    );
    return initialMs - Number(row?.ms);
  };
  const used = async (): Promise<number> => {
    const { sandbox } = await bed.gateway.app.get(BalancesService, { strict: false }).read(bed.account.accountID);
    return Math.round(initialMs - sandbox.meetingMs);
  };

  const beginAgo = async (seconds: number): Promise<string> => {
    const sessionID = await bed.openSession();
    const session = bed.sfu.sessions.get(sessionID);
    if (session) session.state = 'active';
    const tracks = [{ trackID: 'trk_v', kind: 'video' as const, codec: 'VP8', state: 'live' as const }];
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks }, { at: secondsAgo(seconds) });
    await bed.waitForState('external-sessions', sessionID, 'active');
    return sessionID;
  };
  const endAgo = async (sessionID: string, seconds: number): Promise<void> => {
    bed.sfu.sessions.delete(sessionID);
    const ended = { type: 'external_session.ended', reason: 'publisher_left' } as const;
    await bed.sfu.report(sessionID, ended, { at: secondsAgo(seconds) });
    await bed.waitForState('external-sessions', sessionID, 'ended');
  };
  /** What runs goes on running while the test looks at it. */
  const near = (ms: number): [number, number] => [ms - 1500, ms + 30_000];
  const expectNear = (value: number, ms: number): void => {
    const [low, high] = near(ms);
    expect(value).toBeGreaterThan(low);
    expect(value).toBeLessThan(high);
  };
  const waitUntilSettled = (sessionID: string): Promise<unknown> =>
    waitFor(async () => (await ledger(sessionID)).every(row => row.settled), { what: 'the usage to be settled' });

  it('takes off what ran between the facts, to the millisecond', async () => {
    const sessionID = await beginAgo(600);
    await endAgo(sessionID, 100);
    await waitUntilSettled(sessionID);
    const [row] = await ledger(sessionID);
    const ran = Number(row?.ended_at) - Number(row?.started_at);
    expectNear(ran, 500_000);
    expect(await settled()).toBe(ran);
    expect(await used()).toBe(ran);
  });

  it('shows what runs before it is charged, and charges it while it runs', async () => {
    await beginAgo(300);
    expectNear(await used(), 300_000);
    await waitFor(async () => (await settled()) >= 300_000, { what: 'the charge of what runs' });
    expectNear(await settled(), 300_000);
    const { body } = await bed.request('get', '/v1/balance');
    expect(body['balance']).toEqual({
      sandbox: { meetingMinutes: 99_994, recordingMinutes: 10_000 },
      production: { meetingMinutes: 100_000, recordingMinutes: 10_000 },
    });
  });

  it('charges nothing while the publisher is lost', async () => {
    const sessionID = await beginAgo(600);
    bed.sfu.sessions.set(sessionID, { sessionID, meetingID: bed.meetingID, state: 'pending' });
    const lost = { type: 'external_session.interrupted', reason: 'publisher_lost' } as const;
    await bed.sfu.report(sessionID, lost, { at: secondsAgo(400) });
    await bed.waitForState('external-sessions', sessionID, 'pending');
    await bed.sfu.activate(sessionID);
    await bed.waitForState('external-sessions', sessionID, 'active');
    await bed.remove('external-sessions', sessionID);
    await waitUntilSettled(sessionID);
    expect(await ledger(sessionID)).toHaveLength(2);
    expectNear(await settled(), 200_000);
  });

  it('gives back what was charged when the end was known late', async () => {
    const sessionID = await beginAgo(600);
    await waitFor(async () => (await settled()) >= 600_000);
    await endAgo(sessionID, 300);
    await waitUntilSettled(sessionID);
    expectNear(await settled(), 300_000);
  });

  it('counts repeated and old facts once', async () => {
    const sessionID = await beginAgo(60);
    const [before] = await ledger(sessionID);
    const tracks = [{ trackID: 'trk_v', kind: 'video' as const, codec: 'VP8', state: 'live' as const }];
    for (const sequence of [1, 1, 2])
      await bed.sfu.report(sessionID, { type: 'external_session.active', tracks }, { sequence, at: secondsAgo(500) });
    await endAgo(sessionID, 0);
    const rows = await ledger(sessionID);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.started_at).toEqual(before?.started_at);
  });

  it.each([
    ['long before the room was there', 100_000, 3_600_000],
    ['in the future', -100_000, 0],
  ])('is not misled by a node whose clock says %s', async (_, ago, ms) => {
    const sessionID = await beginAgo(ago);
    await bed.remove('external-sessions', sessionID);
    await waitUntilSettled(sessionID);
    expectNear(await settled(), ms);
  });

  it('of a session whose node died counts up to when the node was last heard', async () => {
    const sessionID = await beginAgo(120);
    const died = Date.now();
    await bed.sfu.restart();
    await waitFor(async () => Boolean((await ledger(sessionID))[0]?.ended_at), { what: 'the interval to end' });
    expectNear(Number((await ledger(sessionID))[0]?.ended_at), died);
    await bed.remove('external-sessions', sessionID);
    await waitUntilSettled(sessionID);
    expectNear(await settled(), 120_000);
  });

  it('loses and doubles nothing when the charge fails between ledger and balance', async () => {
    await query(`ALTER TABLE balances ADD CONSTRAINT refused CHECK (meeting_ms >= 5999900000) NOT VALID`, []);
    try {
      const sessionID = await beginAgo(300);
      await bed.remove('external-sessions', sessionID);
      const settlement = bed.gateway.app.get(Settlement, { strict: false });
      // While the gateway itself is at these rows, there is nothing left to settle and nothing to refuse.
      const settle = () =>
        settlement.settle(new Date()).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
      expect((await waitFor(settle, { what: 'the charge to fail' })).message).toContain('refused');
      const [row] = await ledger(sessionID);
      expect(row).toMatchObject({ settled: false, metered_until: row?.started_at });
      expect(await settled()).toBe(0);
      expectNear(await used(), 300_000);
      await query('ALTER TABLE balances DROP CONSTRAINT refused', []);
      await waitUntilSettled(sessionID);
      expectNear(await settled(), 300_000);
    } finally {
      await query('ALTER TABLE balances DROP CONSTRAINT IF EXISTS refused', []);
    }
  });

  it('counts everybody who is in the room, from the first connection on', async () => {
    const { participantID, socket } = await bed.connectMember('Grace');
    expect(await ledger(participantID)).toHaveLength(1);
    socket.close();
    await query(
      `UPDATE usage_intervals SET started_at = now() - interval '90 seconds', metered_until = now() - interval '90 seconds'
       WHERE resource_id = $1`,
      [participantID],
    );
    await bed.endRoom();
    await waitUntilSettled(participantID);
    expectNear(await settled(), 90_000);
  });

  it('counts nobody who joined and never came', async () => {
    await bed.request('post', '/v1/rooms', { action: 'join', meetingID: bed.meetingID, userName: 'Grace' });
    await bed.endRoom();
    expect(await query('SELECT 1 FROM usage_intervals WHERE meeting_id = $1', [bed.meetingID])).toEqual([]);
  });

  it('is done once when several gateways do it', async () => {
    const { config, bus } = bed.gateway;
    const other = await startTestGateway({ config, bus, databaseUrl: config.databaseUrl });
    try {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => beginAgo(60)));
      await Promise.all(sessions.map(sessionID => bed.remove('external-sessions', sessionID)));
      for (const sessionID of sessions) await waitUntilSettled(sessionID);
      const rows = (await Promise.all(sessions.map(ledger))).flat();
      expect(await settled()).toBe(rows.reduce((sum, row) => sum + Number(row.ended_at) - Number(row.started_at), 0));
    } finally {
      await other.close();
    }
  });

  it('goes on where it was after all gateways were away for minutes', async () => {
    const sessionID = await beginAgo(600);
    const gone = await beginAgo(600);
    await waitFor(async () => (await settled()) >= 1_200_000);
    const { config, bus } = bed.gateway;
    await bed.gateway.app.close();
    bed.sfu.sessions.delete(gone);
    const ended = { type: 'external_session.ended', reason: 'publisher_left' } as const;
    await bed.sfu.report(gone, ended, { at: secondsAgo(240) });
    const gateway = await startTestGateway({ config, bus, databaseUrl: config.databaseUrl });
    Object.assign(bed, { gateway: { ...gateway, close: () => gateway.close() } });
    await bed.waitForState('external-sessions', gone, 'ended');
    await bed.remove('external-sessions', sessionID);
    for (const id of [sessionID, gone]) await waitUntilSettled(id);
    expectNear(await settled(), 600_000 + 360_000);
  });

  /** As a restored backup is: what ran when it was made is there, and no gateway was for long. */
  const comeBackAfter = async (interval: string, ids: string[], leaving: string): Promise<void> => {
    const { config, bus } = bed.gateway;
    await bed.gateway.app.close();
    const database = await new DataSource(databaseOptions(config.databaseUrl, { warn: () => undefined })).initialize();
    await database.query(
      `UPDATE usage_intervals SET started_at = now() - $1::interval, metered_until = now() - $1::interval
       WHERE resource_id = ANY($2)`,
      [interval, ids],
    );
    await database.query(leaving);
    await database.query('UPDATE gateway_replicas SET seen_at = now() - $1::interval', [interval]);
    await database.query('UPDATE participants SET grace_until = grace_until - $1::interval', [interval]);
    await database.query('UPDATE rooms SET created_at = created_at - $1::interval', [interval]);
    await database.destroy();
    const gateway = await startTestGateway({ config, bus, databaseUrl: config.databaseUrl });
    Object.assign(bed, { gateway: { ...gateway, close: () => gateway.close() } });
  };

  const silently = `
UPDATE participants SET grace_until = NULL, connection_id = 'lost', replica_id = (SELECT max(id) FROM gateway_replicas)`;

  it.each([
    ['stopped in order', 'SELECT 1'],
    ['died', silently],
  ])('charges nobody for the time after its gateway %s in which no other was there', async (_, leaving) => {
    const { participantID } = await bed.connectMember('Grace');
    await comeBackAfter('3 hours', [participantID], leaving);
    await waitFor(async () => (await ledger(participantID))[0]?.ended_at, { what: 'the interval to end' });
    await waitUntilSettled(participantID);
    expectNear(await settled(), 0);
  });

  it('charges nothing after the end of a room that no gateway saw', async () => {
    const sessionID = await beginAgo(60);
    await waitFor(async () => (await settled()) >= 60_000);
    await query(`UPDATE rooms SET expires_at = now() - interval '2 hours' WHERE id = $1`, [bed.meetingID]);
    await waitUntilSettled(sessionID);
    const [row] = await ledger(sessionID);
    expect(row?.ended_at).toEqual(row?.metered_until);
  });
});
