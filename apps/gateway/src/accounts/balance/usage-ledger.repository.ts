import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { UsageKind } from './usage-charges.js';

/** The start of a resource that uses minutes. */
export interface UsageStart {
  meetingID: string;
  resourceID: string;
  kind: UsageKind;
  /** By the clock of the worker that reported it. */
  at: Date;
}

/**
 * An interval never starts before its room, inside another interval of the same resource, or in the future. A worker's wrong clock
 * thus neither lengthens nor doubles it.
 */
const beginStatement = `
INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, metered_until)
SELECT r.account_id, r.key_type, r.id, given.resource_id, given.kind, begun.at, begun.at
FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS given(meeting_id, resource_id, kind, at)
JOIN rooms r ON r.id = given.meeting_id, LATERAL (
  SELECT GREATEST(r.created_at, LEAST(given.at, $5::timestamptz),
    (SELECT max(ended_at) FROM usage_intervals u WHERE u.meeting_id = r.id AND u.resource_id = given.resource_id)) AS at
) AS begun
ON CONFLICT (resource_id) WHERE ended_at IS NULL DO NOTHING`;

/**
 * Records which resource ran when, in the transaction that changes the resource, so the two never differ. Only the settlement
 * charges balances.
 */
@Injectable()
export class UsageLedgerRepository {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** A resource that runs already keeps its interval. */
  begin(manager: EntityManager, start: UsageStart): Promise<void> {
    return this.beginAll(manager, [start]);
  }

  /** Like `begin`, for many resources. */
  async beginAll(manager: EntityManager, starts: readonly UsageStart[]): Promise<void> {
    if (starts.length === 0) return;
    const columns = (['meetingID', 'resourceID', 'kind', 'at'] as const).map(name => starts.map(each => each[name]));
    await manager.query(beginStatement, [...columns, new Date(this.clock.now())]);
  }

  /** Charges the seconds before now, for work that took another time. */
  async addRun(manager: EntityManager, run: Omit<UsageStart, 'at'>, seconds: number): Promise<void> {
    const now = this.clock.now();
    await this.begin(manager, { ...run, at: new Date(now - seconds * 1000) });
    await this.finish(manager, run.resourceID, new Date(now));
  }

  /** Without `at`, the interval ends at the time up to which it was charged. */
  finish(manager: EntityManager, resourceID: string, at: Date | undefined): Promise<void> {
    return this.finishAll(manager, [{ resourceID, at }]);
  }

  /** Like `finish`, for many resources. */
  async finishAll(
    manager: EntityManager,
    ends: readonly { resourceID: string; at: Date | undefined }[],
  ): Promise<void> {
    if (ends.length === 0) return;
    const statement = `UPDATE usage_intervals AS run
      SET ended_at = GREATEST(run.started_at, LEAST(COALESCE(given.at, run.metered_until), $3))
      FROM unnest($1::text[], $2::timestamptz[]) AS given(id, at) WHERE run.resource_id = given.id AND run.ended_at IS NULL`;
    const ids = ends.map(({ resourceID }) => resourceID);
    await manager.query(statement, [ids, ends.map(({ at }) => at ?? null), new Date(this.clock.now())]);
  }

  /** Like `finish`, for all running resources of a room. */
  async finishRoom(manager: EntityManager, meetingID: string, at: Date | undefined): Promise<void> {
    const statement = `UPDATE usage_intervals
      SET ended_at = GREATEST(started_at, LEAST(COALESCE($2, metered_until), $3)) WHERE meeting_id = $1 AND ended_at IS NULL`;
    await manager.query(statement, [meetingID, at ?? null, new Date(this.clock.now())]);
  }
}
