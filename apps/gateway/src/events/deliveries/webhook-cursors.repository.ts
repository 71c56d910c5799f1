import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import { maxPending } from './webhook-queue.repository.js';

export const cursorsAtOnce = 100;

/** A cursor that events follow. */
export interface WaitingCursor {
  /** A bigint. */
  id: string;
  webhookID: string;
  accountID: string;
  keyType: KeyType;
  eventTypes: string[];
  /** The events up to this one have deliveries. */
  sequence: number;
  /** The end of a replay; null: the cursor follows the log. */
  until: number | null;
}

/** A full queue lets its cursor wait in the log. */
const waitingStatement = `
SELECT c.id, c.webhook_id AS "webhookID", w.account_id AS "accountID", w.key_type AS "keyType", w.event_types AS "eventTypes",
  c.sequence::float8 AS sequence, c.until::float8 AS until
FROM webhook_cursors c
JOIN webhooks w ON w.id = c.webhook_id AND w.state = 'enabled'
JOIN webhook_queues q ON q.webhook_id = w.id AND q.pending < ${maxPending}
JOIN accounts a ON a.id = w.account_id AND a.state = 'active' AND a.deleted_at IS NULL
JOIN event_counters log ON log.account_id = w.account_id
WHERE c.sequence < LEAST(log.last_sequence, c.until) AND c.id > $1
ORDER BY c.id LIMIT ${cursorsAtOnce}`;

/** The positions of webhooks in the event log: one that follows the log, and one for each replay. */
@Injectable()
export class WebhookCursorsRepository {
  constructor(private readonly database: DataSource) {}

  /** Adds the queue of a new webhook and the cursor that follows the log. */
  async begin(manager: EntityManager, webhookID: string, sequence: number): Promise<void> {
    await manager.query('INSERT INTO webhook_queues (webhook_id) VALUES ($1)', [webhookID]);
    await manager.query('INSERT INTO webhook_cursors (webhook_id, sequence) VALUES ($1, $2)', [webhookID, sequence]);
  }

  /** Adds a replay of the events behind `after` up to `until`. Needs the lock of the queue. Returns false above the limit. */
  async addReplay(
    manager: EntityManager,
    webhookID: string,
    { after, until, limit }: { after: number; until: number; limit: number },
  ): Promise<boolean> {
    const counted = 'SELECT count(*)::int AS count FROM webhook_cursors WHERE webhook_id = $1 AND until IS NOT NULL';
    const [running] = await manager.query<{ count: number }[]>(counted, [webhookID]);
    if ((running?.count ?? 0) >= limit) return false;
    const insert = 'INSERT INTO webhook_cursors (webhook_id, sequence, until) VALUES ($1, $2, $3)';
    if (after < until) await manager.query(insert, [webhookID, after, until]);
    return true;
  }

  /** Returns the sequence of the last event that has a delivery, by webhook. */
  async positionsOf(webhookIDs: readonly string[]): Promise<Map<string, number>> {
    const statement = `SELECT webhook_id AS id, sequence::float8 AS sequence FROM webhook_cursors
      WHERE webhook_id = ANY($1) AND until IS NULL`;
    const rows = await this.database.query<{ id: string; sequence: number }[]>(statement, [webhookIDs]);
    return new Map(rows.map(({ id, sequence }) => [id, sequence]));
  }

  /** Returns cursors with events behind them that follow the given cursor, in the order of their IDs. */
  listWaiting(after: string): Promise<WaitingCursor[]> {
    return this.database.query(waitingStatement, [after]);
  }

  /** Removes a replay at its end. Returns false if the cursor was moved before. */
  async move(manager: EntityManager, { id, sequence, until }: WaitingCursor, next: number): Promise<boolean> {
    const isOver = until !== null && next >= until;
    const [moved] = isOver
      ? await manager.query<[unknown[], number]>(
          'DELETE FROM webhook_cursors WHERE id = $1 AND sequence = $2 RETURNING id',
          [id, sequence],
        )
      : await manager.query<[unknown[], number]>(
          'UPDATE webhook_cursors SET sequence = $3 WHERE id = $1 AND sequence = $2 RETURNING id',
          [id, sequence, next],
        );
    return moved.length > 0;
  }
}
