/** @weight 0.5 for 18 s */
import { jest } from '@jest/globals';
import { waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../../platform/database/data-source.js';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { graceMs, MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';
import { FactBacklogService } from '../facts/fact-backlog.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { SettlementRepository } from './settlement.repository.js';

interface LedgerRow {
  started_at: Date;
  ended_at: Date | null;
  metered_until: Date;
  settled: boolean;
}

const initialMs = 100_000 * 60_000;
/** METERING_SECONDS: the interval between two charges. */
const meteringMs = 60_000;

const waitingForBalance = `
SELECT 1 FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE balances%'`;

describe('metering', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    await query(`UPDATE rooms SET created_at = $2 WHERE id = $1`, [bed.meetingID, bed.date(-3_600_000)]);
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
    const { sandbox } = await bed.gateway.app.get(BalancesRepository, { strict: false }).read(bed.account.accountID);
    return Math.round(initialMs - sandbox.meetingMs);
  };

  const secondsAgo = (seconds: number): string => bed.date(-seconds * 1_000).toISOString();
  const beginAgo = async (seconds: number): Promise<string> => {
    const sessionID = await bed.openSession();
    const session = bed.sfu.sessions.get(sessionID);
    if (session) session.state = 'active';
    const tracks = [{ trackID: 'trk_v', kind: 'video' as const, codec: 'VP8', state: 'live' as const }];
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks }, { at: secondsAgo(seconds) });
    await bed.expectState('external-sessions', sessionID, 'active');
    return sessionID;
  };
  const endAgo = async (sessionID: string, seconds: number): Promise<void> => {
    bed.sfu.sessions.delete(sessionID);
    const ended = { type: 'external_session.ended', reason: 'publisher_left' } as const;
    await bed.sfu.report(sessionID, ended, { at: secondsAgo(seconds) });
    await bed.expectState('external-sessions', sessionID, 'ended');
  };
  /** Charges usage as the metering task does at each interval. */
  const settle = (): Promise<void> => bed.gateway.app.get(SettlementRepository, { strict: false }).settle(bed.date());

  it('charges the time between the facts, to the millisecond', async () => {
    const sessionID = await beginAgo(600);
    await endAgo(sessionID, 100);
    expect(await settled()).toBe(0);
    await settle();
    expect(await ledger(sessionID)).toMatchObject([{ settled: true }]);
    expect([await settled(), await used()]).toEqual([500_000, 500_000]);
  });

  it('subtracts running time from the balance at once, and charges it while it runs', async () => {
    await bed.advance(meteringMs);
    await beginAgo(300);
    expect([await settled(), await used()]).toEqual([0, 300_000]);
    await bed.advance(meteringMs);
    expect(await settled()).toBeGreaterThan(300_000);
    expect(await used()).toBe(300_000 + meteringMs);
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
    await bed.expectState('external-sessions', sessionID, 'pending');
    await bed.sfu.activate(sessionID);
    await bed.expectState('external-sessions', sessionID, 'active');
    await bed.remove('external-sessions', sessionID);
    await settle();
    expect(await ledger(sessionID)).toHaveLength(2);
    expect(await settled()).toBe(200_000);
  });

  it('refunds a charge when the end becomes known late', async () => {
    const sessionID = await beginAgo(600);
    await settle();
    expect(await settled()).toBe(600_000);
    await endAgo(sessionID, 300);
    await settle();
    expect(await settled()).toBe(300_000);
  });

  it('counts repeated and late facts once', async () => {
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
  ])('is not misled by a node whose clock is off: %s', async (_, ago, ms) => {
    const sessionID = await beginAgo(ago);
    await bed.remove('external-sessions', sessionID);
    await settle();
    expect(await settled()).toBe(ms);
  });

  it('charges a session of a dead node until the last lease of the node', async () => {
    const sessionID = await beginAgo(120);
    const died = bed.date();
    await bed.sfu.die();
    await bed.advance(3 * sweepMs);
    await bed.restart(bed.sfu);
    expect(await ledger(sessionID)).toMatchObject([{ ended_at: died }]);
    await bed.remove('external-sessions', sessionID);
    await settle();
    expect(await settled()).toBe(120_000);
  });

  it('neither loses nor doubles a charge that fails between ledger and balance', async () => {
    await bed.gateway.asOwner(`ALTER TABLE balances ADD CONSTRAINT refused CHECK (meeting_ms >= 5999900000) NOT VALID`);
    try {
      const sessionID = await beginAgo(300);
      await bed.remove('external-sessions', sessionID);
      await expect(settle()).rejects.toThrow('refused');
      const [row] = await ledger(sessionID);
      expect(row).toMatchObject({ settled: false, metered_until: row?.started_at });
      expect(await settled()).toBe(0);
      expect(await used()).toBe(300_000);
      await bed.gateway.asOwner('ALTER TABLE balances DROP CONSTRAINT refused');
      await settle();
      expect(await settled()).toBe(300_000);
    } finally {
      await bed.gateway.asOwner('ALTER TABLE balances DROP CONSTRAINT IF EXISTS refused');
    }
  });

  it('counts every participant from the first connection', async () => {
    const { participantID, socket } = await bed.connectMember('Grace');
    expect(await ledger(participantID)).toHaveLength(1);
    await bed.advance(9_000);
    await socket.must('leave', {});
    await bed.advance(sweepMs);
    await settle();
    expect(await settled()).toBe(9_000);
  });

  it('does not count a participant who never connected', async () => {
    await bed.request('post', '/v1/rooms', { action: 'join', meetingID: bed.meetingID, userName: 'Grace' });
    await bed.endRoom();
    expect(await query('SELECT 1 FROM usage_intervals WHERE meeting_id = $1', [bed.meetingID])).toEqual([]);
  });

  it('charges once with several gateways', async () => {
    const other = await bed.startReplica();
    try {
      // From now on the other gateway takes nodes without a lease for dead.
      await bed.advance(6 * sweepMs);
      const sessions = await Promise.all(Array.from({ length: 8 }, () => beginAgo(60)));
      await Promise.all(sessions.map(sessionID => bed.remove('external-sessions', sessionID)));
      await bed.advance(meteringMs);
      expect(await settled()).toBe(8 * 60_000);
    } finally {
      await other.close();
    }
  });

  it('continues after all gateways were down for minutes', async () => {
    const sessionID = await beginAgo(600);
    const gone = await beginAgo(600);
    await settle();
    expect(await settled()).toBe(1_200_000);
    await bed.replaceGateway(async () => {
      bed.sfu.sessions.delete(gone);
      await bed.sfu.publish(
        gone,
        { type: 'external_session.ended', reason: 'publisher_left' },
        { at: secondsAgo(240) },
      );
      await bed.advance(200_000);
    });
    await bed.expectState('external-sessions', gone, 'ended');
    await bed.remove('external-sessions', sessionID);
    await settle();
    expect(await settled()).toBe(800_000 + 360_000);
  });

  it('charges nothing while a fact has waited for more than 5 s, because it may be an end', async () => {
    const backlog = bed.gateway.app.get(FactBacklogService, { strict: false });
    let waitedMs = 5_001;
    const measure = jest
      .spyOn(backlog, 'measure')
      .mockImplementation(async () => [{ resource: 'external_session', count: 1, oldestAt: bed.date(-waitedMs) }]);
    try {
      await beginAgo(600);
      await bed.advance(meteringMs);
      expect(await settled()).toBe(0);
      waitedMs = 5_000;
      await bed.advance(meteringMs);
      expect(await settled()).toBeGreaterThanOrEqual(660_000);
    } finally {
      measure.mockRestore();
    }
  });

  it('charges nothing before the gateway knows which nodes live', async () => {
    const isSettled = jest.spyOn(bed.gateway.app.get(NodeRegistry, { strict: false }), 'isSettled');
    try {
      isSettled.mockReturnValue(false);
      await beginAgo(600);
      await bed.advance(meteringMs);
      expect(await settled()).toBe(0);
    } finally {
      isSettled.mockRestore();
    }
    await bed.advance(meteringMs);
    expect(await settled()).toBeGreaterThanOrEqual(660_000);
  });

  const silently = `
UPDATE participants SET grace_until = NULL, is_connected = true, connection_id = 'lost',
  replica_id = (SELECT id FROM gateway_replicas ORDER BY seen_at DESC LIMIT 1)
WHERE id = $1`;

  it.each([
    ['stopped in order, but for the grace time', 'SELECT $1', 32_000],
    ['died', silently, 2_000],
  ])('charges nobody for the time without a gateway after its gateway %s', async (_, leaving, ms) => {
    const { participantID } = await bed.connectMember('Grace');
    await bed.advance(2 * sweepMs);
    await bed.replaceGateway(async ({ databaseUrl }) => {
      const database = await new DataSource(databaseOptions(databaseUrl, { warn: () => undefined })).initialize();
      await database.query(leaving, [participantID]);
      await database.destroy();
      await bed.advance(600_000);
    });
    // Until the new gateway knows the living replicas and sweeps again.
    await bed.advance(12 * sweepMs);
    await bed.advance(graceMs);
    await settle();
    expect(await ledger(participantID)).toMatchObject([{ ended_at: expect.any(Date) as Date, settled: true }]);
    expect(await settled()).toBe(ms);
  });

  it('leaves locked intervals for the next run', async () => {
    const sessionID = await beginAgo(600);
    const fact = bed.gateway.app.get(DataSource).createQueryRunner();
    await fact.startTransaction();
    const statement = 'UPDATE usage_intervals SET ended_at = $2 WHERE resource_id = $1';
    await fact.query(statement, [sessionID, bed.date(-500_000)]);
    await settle();
    expect(await settled()).toBe(0);
    await fact.commitTransaction();
    await fact.release();
    await settle();
    expect(await settled()).toBe(100_000);
  });

  it('charges once also when the lock between the gateways is lost', async () => {
    await beginAgo(600);
    const holder = bed.gateway.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM balances WHERE account_id = $1 FOR UPDATE', [bed.account.accountID]);
    const first = settle();
    await waitFor(async () => (await query<object>(waitingForBalance, [])).length > 0, { what: 'it to wait' });
    await settle();
    await holder.commitTransaction();
    await holder.release();
    await first;
    expect(await settled()).toBe(600_000);
  });

  it('charges nothing after the end of a room that no gateway observed', async () => {
    const sessionID = await beginAgo(60);
    await settle();
    await query('UPDATE rooms SET expires_at = $2 WHERE id = $1', [bed.meetingID, bed.date(-7_200_000)]);
    await bed.advance(sweepMs);
    const [row] = await ledger(sessionID);
    expect(row?.ended_at).toEqual(row?.metered_until);
  });
});
