import { Injectable } from '@nestjs/common';
import type { NodeLease } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import {
  advance,
  chargesOf,
  type Advance,
  type Charge,
  type UsageInterval,
} from '../../accounts/balance/usage-charges.js';
import { NodeRegistry } from '../nodes/node-registry.js';

/** Intervals in one transaction: few enough to hold no lock for long. */
const intervalsAtOnce = 500;

/**
 * A session or recording is charged while the start of its node is known to live. After that, a fact or the reconciler tells
 * how long it ran. SKIP LOCKED leaves intervals that another transaction changes for the next run.
 */
const nextStatement = `
SELECT u.id::text AS id, u.account_id AS "accountID", u.key_type AS "keyType", u.kind, u.started_at AS "startedAt",
  u.ended_at AS "endedAt", u.metered_until AS "meteredUntil"
FROM usage_intervals u
WHERE NOT u.settled AND u.id > $1 AND (u.ended_at IS NOT NULL OR u.kind = 'participant' OR EXISTS (
  SELECT 1 FROM external_sessions s
  JOIN unnest($2::text[], $3::bigint[]) AS living (node_id, node_epoch) USING (node_id, node_epoch)
  WHERE s.id = u.resource_id) OR EXISTS (
  SELECT 1 FROM recordings r
  JOIN unnest($4::text[], $5::bigint[]) AS living (node_id, node_epoch) USING (node_id, node_epoch)
  WHERE r.id = u.resource_id))
ORDER BY u.id LIMIT ${intervalsAtOnce} FOR UPDATE OF u SKIP LOCKED`;

const advanceStatement = `
UPDATE usage_intervals u SET metered_until = due.metered_until, settled = due.settled
FROM unnest($1::bigint[], $2::timestamptz[], $3::boolean[]) AS due (id, metered_until, settled)
WHERE u.id = due.id`;

const chargeStatement = `
UPDATE balances SET meeting_ms = meeting_ms - $3, recording_ms = recording_ms - $4
WHERE account_id = $1 AND key_type = $2`;

/** Charges usage. Ledger and balance change in one transaction, so a crash neither loses nor doubles a charge. */
@Injectable()
export class SettlementRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
  ) {}

  async settle(now: Date): Promise<void> {
    let last: string | undefined = '0';
    while (last !== undefined) {
      const after: string = last;
      last = await this.dataSource.transaction(manager => this.settleBatch(manager, after, now));
    }
  }

  /** Returns the ID of the last interval; undefined when no interval is left. */
  private async settleBatch(manager: EntityManager, after: string, now: Date): Promise<string | undefined> {
    const living = { sfus: this.nodes.list('sfu'), transcoders: this.nodes.list('transcoder') };
    const intervals = await this.lockNext(manager, after, living);
    await this.advance(
      manager,
      intervals.map(interval => advance(interval, now)),
    );
    for (const charge of chargesOf(intervals, now)) await this.charge(manager, charge);
    return intervals.length < intervalsAtOnce ? undefined : intervals.at(-1)?.id;
  }

  /** Locks the next intervals behind the ID `after`. */
  private lockNext(
    manager: EntityManager,
    after: string,
    { sfus, transcoders }: { sfus: readonly NodeLease[]; transcoders: readonly NodeLease[] },
  ): Promise<UsageInterval[]> {
    const living = [sfus, transcoders].flatMap(nodes => [
      nodes.map(node => node.nodeID),
      nodes.map(node => node.epoch),
    ]);
    return manager.query(nextStatement, [after, ...living]);
  }

  private async advance(manager: EntityManager, advances: readonly Advance[]): Promise<void> {
    if (advances.length === 0) return;
    await manager.query(advanceStatement, [
      advances.map(each => each.id),
      advances.map(each => each.meteredUntil),
      advances.map(each => each.settled),
    ]);
  }

  private async charge(manager: EntityManager, { accountID, keyType, meetingMs, recordingMs }: Charge): Promise<void> {
    if (meetingMs === 0 && recordingMs === 0) return;
    await manager.query(chargeStatement, [accountID, keyType, meetingMs, recordingMs]);
  }
}
