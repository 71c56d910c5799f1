import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Attempt, Delivery, DeliveryCause, DeliveryState } from './delivery.dto.js';
import type { DisabledReason, FailureState } from './delivery-decisions.js';

/** Above this, new events wait in the event log. */
export const maxPending = 10_000;

/** A delivery before it is in the queue. */
export type NewDelivery = Pick<Delivery, 'id' | 'cause' | 'eventID' | 'sequence' | 'type' | 'lane' | 'body'>;

/** A webhook with a delivery that is due. */
export interface DueWebhook {
  webhookID: string;
  accountID: string;
  dueAt: Date;
  isFailing: boolean;
}

/** A delivery that this gateway sends until the end of its lease. */
export interface ClaimedDelivery {
  webhookID: string;
  accountID: string;
  /** A bigint. */
  number: string;
  /** Number of attempts with this one. It tells this claim from a later claim of another gateway. */
  claim: number;
  cause: DeliveryCause;
  eventID: string;
  body: string;
  triedSince: Date;
  url: string;
  encryptedSecret: Buffer;
  encryptedPreviousSecret: Buffer | null;
  previousSecretUntil: Date | null;
}

/** The result of a claimed delivery. */
export interface Result {
  claimed: Pick<ClaimedDelivery, 'number' | 'claim' | 'cause'>;
  attempt: Attempt;
  state: DeliveryState;
  /** Of a pending delivery. */
  nextAt: Date | null;
}

const isEnabled = `EXISTS (SELECT 1 FROM webhooks w WHERE w.id = $1 AND w.state = 'enabled')`;

/** Lists lanes and numbers as arrays, so that PostgreSQL reads them by an index, whatever it knows about the table. */
const insertStatement = `
INSERT INTO webhook_deliveries (webhook_id, account_id, id, cause, event_id, sequence, type, lane, body, is_head, due_at, created_at)
SELECT $1, $2, id, cause, event_id, sequence, type, lane, body, is_head, CASE WHEN is_head AND (cause = 'test' OR ${isEnabled}) THEN $3::timestamptz END, $3
FROM (SELECT added.*, row_number() OVER (PARTITION BY lane ORDER BY n) = 1 AND lane <> ALL (ARRAY(
    SELECT lane FROM webhook_deliveries WHERE webhook_id = $1 AND lane = ANY($5) AND state = 'pending' AND is_head)) AS is_head
  FROM jsonb_to_recordset($4::jsonb) AS added
    (n int, id text, cause text, event_id text, sequence bigint, type text, lane text, body text)) AS placed
ORDER BY n`;

/** Walks the index from webhook to webhook, so that a long queue does not hide the others. */
const dueStatement = `
WITH RECURSIVE waiting (webhook_id) AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE is_head ORDER BY webhook_id LIMIT 1)
  UNION ALL
    SELECT following.webhook_id FROM waiting, LATERAL (
      SELECT d.webhook_id FROM webhook_deliveries d WHERE d.is_head AND d.webhook_id > waiting.webhook_id
      ORDER BY d.webhook_id LIMIT 1) AS following
  )
SELECT w.id AS "webhookID", w.account_id AS "accountID", due.at AS "dueAt", q.failing_since IS NOT NULL AS "isFailing"
FROM waiting JOIN webhooks w ON w.id = waiting.webhook_id
JOIN accounts a ON a.id = w.account_id AND a.state = 'active' AND a.deleted_at IS NULL
JOIN webhook_queues q ON q.webhook_id = w.id, LATERAL (
  SELECT d.due_at AS at FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.is_head AND d.due_at <= $1
  ORDER BY d.due_at LIMIT 1) AS due
ORDER BY due.at`;

const claimStatement = `
WITH chosen AS (
  SELECT head.webhook_id, head.number FROM unnest($1::text[], $2::int[]) AS wanted (webhook_id, places), LATERAL (
    SELECT d.webhook_id, d.number FROM webhook_deliveries d
    WHERE d.webhook_id = wanted.webhook_id AND d.is_head AND d.due_at <= $3
    ORDER BY d.due_at, d.number LIMIT wanted.places FOR UPDATE SKIP LOCKED) AS head)
UPDATE webhook_deliveries d
SET due_at = $4, is_claimed = true, attempt_count = d.attempt_count + 1, tried_since = COALESCE(d.tried_since, $3)
FROM chosen JOIN webhooks w ON w.id = chosen.webhook_id
JOIN accounts a ON a.id = w.account_id AND a.state = 'active' AND a.deleted_at IS NULL
WHERE d.webhook_id = chosen.webhook_id AND d.number = chosen.number
RETURNING d.webhook_id AS "webhookID", d.account_id AS "accountID", d.number, d.attempt_count AS claim, d.cause,
  d.event_id AS "eventID", d.body, d.tried_since AS "triedSince", w.url, w.encrypted_secret AS "encryptedSecret",
  w.encrypted_previous_secret AS "encryptedPreviousSecret", w.previous_secret_until AS "previousSecretUntil"`;

/** Each delivery keeps its newest 30 attempts. */
const finishStatement = `
UPDATE webhook_deliveries d
SET state = done.state, is_head = done.state = 'pending', is_claimed = false, finished_at = CASE WHEN done.state <> 'pending' THEN $3::timestamptz END,
  due_at = CASE WHEN done.state = 'pending' AND ${isEnabled} THEN done.next_at END,
  attempts = CASE WHEN jsonb_array_length(d.attempts) < 30 THEN d.attempts ELSE d.attempts - 0 END || done.attempt
FROM jsonb_to_recordset($2::jsonb) AS done (number bigint, claim int, state text, next_at timestamptz, attempt jsonb)
WHERE d.webhook_id = $1 AND d.number = ANY($4) AND d.number = done.number AND d.attempt_count = done.claim AND d.state = 'pending'
RETURNING d.number, d.lane, d.state`;

const promoteStatement = `
UPDATE webhook_deliveries SET is_head = true, due_at = CASE WHEN ${isEnabled} THEN $3::timestamptz END
WHERE webhook_id = $1 AND NOT is_head AND number = ANY(ARRAY(
  SELECT (SELECT min(d.number) FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.lane = freed.lane AND d.state = 'pending')
  FROM unnest($2::text[]) AS freed (lane)))`;

const queueStatement = `
UPDATE webhook_queues SET pending = pending - $2, failing_since = $3, last_failure_at = $4,
  last_delivered_at = COALESCE($5, last_delivered_at)
WHERE webhook_id = $1`;

const releaseStatement = `
UPDATE webhook_deliveries d SET due_at = $2, is_claimed = false
FROM jsonb_to_recordset($1::jsonb) AS given (webhook_id text, number bigint, claim int)
WHERE d.webhook_id = given.webhook_id AND d.number = given.number AND d.attempt_count = given.claim AND d.state = 'pending'
  AND d.due_at IS NOT NULL`;

/**
 * The statements of the queue of deliveries. The lock of a webhook's queue orders those that add or finish deliveries. SQL as text: most
 * statements are bulk, recursive or skip locked rows, deliveries have no entity, and the folder of webhooks imports this one.
 */
@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly database: DataSource) {}

  /** Returns undefined for a webhook that no longer exists. */
  async lock(manager: EntityManager, webhookID: string): Promise<(FailureState & { pending: number }) | undefined> {
    const statement = `SELECT pending, failing_since AS "failingSince", last_failure_at AS "lastFailureAt"
      FROM webhook_queues WHERE webhook_id = $1 FOR UPDATE`;
    const [queue] = await manager.query<(FailureState & { pending: number })[]>(statement, [webhookID]);
    return queue;
  }

  /** Needs the lock. */
  async add(
    manager: EntityManager,
    { webhookID, accountID, at }: { webhookID: string; accountID: string; at: Date },
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ eventID, ...rest }, n) => ({ n, ...rest, event_id: eventID }));
    const lanes = [...new Set(deliveries.map(({ lane }) => lane))];
    await manager.query(insertStatement, [webhookID, accountID, at, JSON.stringify(rows), lanes]);
    const count = 'UPDATE webhook_queues SET pending = pending + $2 WHERE webhook_id = $1';
    await manager.query(count, [webhookID, deliveries.length]);
  }

  /** The oldest first. */
  listDue(now: Date): Promise<DueWebhook[]> {
    return this.database.query(dueStatement, [now]);
  }

  /** Claims due deliveries, of each webhook at most so many as it has places. */
  async claim(
    places: ReadonlyMap<string, number>,
    { now, until }: { now: Date; until: Date },
  ): Promise<ClaimedDelivery[]> {
    if (places.size === 0) return [];
    const parameters = [[...places.keys()], [...places.values()], now, until];
    const [rows] = await this.database.query<[ClaimedDelivery[], number]>(claimStatement, parameters);
    return rows;
  }

  /**
   * Stores results of one webhook, lets the next delivery of each lane follow, and decides by `judge` whether the webhook fails.
   * Results of lost claims are dropped: only the numbers of the others are stored and judged.
   */
  finish(
    webhookID: string,
    results: readonly Result[],
    now: Date,
    judge: (former: FailureState, stored: ReadonlySet<string>) => FailureState & { disable: DisabledReason | null },
  ): Promise<{ stored: ReadonlySet<string>; disabled: DisabledReason | null }> {
    const rows = results.map(({ claimed, attempt, state, nextAt }) => {
      return { number: claimed.number, claim: claimed.claim, state, next_at: nextAt, attempt };
    });
    return this.database.transaction(async manager => {
      const queue = await this.lock(manager, webhookID);
      if (!queue) return { stored: new Set<string>(), disabled: null };
      const numbers = rows.map(({ number }) => number);
      const parameters = [webhookID, JSON.stringify(rows), now, numbers];
      const [done] = await manager.query<[{ number: string; lane: string; state: string }[], number]>(
        finishStatement,
        parameters,
      );
      const stored = new Set(done.map(({ number }) => number));
      const finished = done.filter(({ state }) => state !== 'pending');
      const lanes = [...new Set(finished.map(({ lane }) => lane))];
      if (lanes.length > 0) await manager.query(promoteStatement, [webhookID, lanes, now]);
      const { failingSince, lastFailureAt, disable } = judge(queue, stored);
      const deliveredAt = done.some(({ state }) => state === 'delivered') ? now : null;
      await manager.query(queueStatement, [webhookID, finished.length, failingSince, lastFailureAt, deliveredAt]);
      const isDisabled = disable !== null && (await this.disable(manager, webhookID, disable, now));
      return { stored, disabled: isDisabled ? disable : null };
    });
  }

  /** Needs the lock. Returns whether the webhook was enabled. */
  async disable(manager: EntityManager, webhookID: string, reason: DisabledReason, now: Date): Promise<boolean> {
    const statement = `UPDATE webhooks SET state = 'disabled', disabled_reason = $2, disabled_at = $3, updated_at = $3
      WHERE id = $1 AND state = 'enabled'`;
    const [, changed] = await manager.query<[unknown[], number]>(statement, [webhookID, reason, now]);
    const hold = `UPDATE webhook_deliveries SET due_at = NULL WHERE webhook_id = $1 AND is_head AND cause <> 'test'`;
    await manager.query(hold, [webhookID]);
    return changed > 0;
  }

  /** Needs the lock. Held deliveries are due now. */
  async enable(manager: EntityManager, webhookID: string, now: Date): Promise<void> {
    const statement = `UPDATE webhooks SET state = 'enabled', disabled_reason = NULL, disabled_at = NULL, updated_at = $2
      WHERE id = $1 AND state = 'disabled'`;
    await manager.query(statement, [webhookID, now]);
    const due = 'UPDATE webhook_deliveries SET due_at = $2 WHERE webhook_id = $1 AND is_head AND due_at IS NULL';
    await manager.query(due, [webhookID, now]);
    const clear = 'UPDATE webhook_queues SET failing_since = NULL, last_failure_at = NULL WHERE webhook_id = $1';
    await manager.query(clear, [webhookID]);
  }

  /** Needs the lock. */
  async drop(manager: EntityManager, webhookID: string, now: Date): Promise<void> {
    const statement = `UPDATE webhook_deliveries SET state = 'failed', is_head = false, is_claimed = false, due_at = NULL, finished_at = $2
      WHERE webhook_id = $1 AND state = 'pending'`;
    await manager.query(statement, [webhookID, now]);
  }

  /** Lets other gateways send the deliveries now. */
  async release(claims: readonly ClaimedDelivery[], now: Date): Promise<void> {
    const rows = claims.map(({ webhookID, number, claim }) => ({ webhook_id: webhookID, number, claim }));
    await this.database.query(releaseStatement, [JSON.stringify(rows), now]);
  }
}
