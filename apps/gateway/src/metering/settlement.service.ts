import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NodeRegistry } from '../nodes/node-registry.js';
import { advance, chargesOf, type Charge, type UsageInterval } from './usage-charges.js';

/** Intervals in one transaction: few enough to hold no lock for long. */
const batchSize = 500;

/**
 * A session or recording is charged while the start of the node that has it is known to live; when its node is silent, a fact or
 * the reconciler will tell how long it ran. What somebody else is just changing is left for the next time.
 */
const selectStatement = `
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
ORDER BY u.id LIMIT ${batchSize} FOR UPDATE OF u SKIP LOCKED`;

const advanceStatement = `
UPDATE usage_intervals u SET metered_until = due.metered_until, settled = due.settled
FROM unnest($1::bigint[], $2::timestamptz[], $3::boolean[]) AS due (id, metered_until, settled)
WHERE u.id = due.id`;

const chargeStatement = `
UPDATE balances SET meeting_ms = meeting_ms - $3, recording_ms = recording_ms - $4
WHERE account_id = $1 AND key_type = $2`;

/** Charges what ran. Ledger and balance change in one transaction, so a crash neither loses nor doubles anything. */
@Injectable()
export class Settlement {
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

  /** The id to go on after; undefined when all is done. */
  private async settleBatch(manager: EntityManager, after: string, now: Date): Promise<string | undefined> {
    const [sfus, transcoders] = [this.nodes.list('sfu'), this.nodes.list('transcoder')];
    const intervals = await manager.query<UsageInterval[]>(selectStatement, [
      after,
      ...[sfus, transcoders].flatMap(living => [living.map(node => node.nodeID), living.map(node => node.epoch)]),
    ]);
    await this.advanceAll(manager, intervals, now);
    for (const charge of chargesOf(intervals, now)) await this.charge(manager, charge);
    return intervals.length < batchSize ? undefined : intervals.at(-1)?.id;
  }

  private async advanceAll(manager: EntityManager, intervals: readonly UsageInterval[], now: Date): Promise<void> {
    if (intervals.length === 0) return;
    const advances = intervals.map(interval => advance(interval, now));
    await manager.query(advanceStatement, [
      advances.map(each => each.id),
      advances.map(each => each.meteredUntil),
      advances.map(each => each.settled),
    ]);
  }

  private async charge(manager: EntityManager, charge: Charge): Promise<void> {
    const { accountID, keyType, meetingMs, recordingMs } = charge;
    if (meetingMs === 0 && recordingMs === 0) return;
    await manager.query(chargeStatement, [accountID, keyType, meetingMs, recordingMs]);
  }
}
