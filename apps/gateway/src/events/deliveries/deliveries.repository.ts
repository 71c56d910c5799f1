import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Delivery, DeliveryState } from './delivery.dto.js';

const columns = `id, webhook_id AS "webhookID", account_id AS "accountID", number::float8 AS number, cause, event_id AS "eventID",
  sequence::float8 AS sequence, type, lane, state, attempt_count AS "attemptCount", created_at AS "createdAt",
  CASE WHEN NOT is_claimed THEN due_at END AS "dueAt", finished_at AS "finishedAt"`;

/** A list shows the last attempt only. */
const listed = `${columns}, '' AS body,
  CASE WHEN jsonb_array_length(attempts) = 0 THEN '[]' ELSE jsonb_build_array(attempts -> -1) END AS attempts`;

const findStatement = `SELECT ${columns}, body, attempts FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`;

/** Reads the log of deliveries. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: DataSource) {}

  /** Newest first, with numbers below `before`. null: any number. */
  list(
    webhookID: string,
    { state, before, limit }: { state: DeliveryState | undefined; before: number | null; limit: number },
  ): Promise<Delivery[]> {
    // PostgreSQL uses the partial indexes only for a literal.
    const inState = state === undefined ? '' : `AND state = '${state}'`;
    const statement = `SELECT ${listed} FROM webhook_deliveries
      WHERE webhook_id = $1 AND ($2::bigint IS NULL OR webhook_deliveries.number < $2) ${inState}
      ORDER BY webhook_deliveries.number DESC LIMIT $3`;
    return this.database.query(statement, [webhookID, before, limit]);
  }

  async find(webhookID: string, deliveryID: string): Promise<Delivery | undefined> {
    const [row] = await this.database.query<Delivery[]>(findStatement, [webhookID, deliveryID]);
    return row;
  }
}
