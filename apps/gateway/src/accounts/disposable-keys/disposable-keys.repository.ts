import { Injectable } from '@nestjs/common';
import type { Operation } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';

/** The number of requests with a key for one operation, and the time of the last request. */
export interface KeyUse {
  keyID: string;
  operation: Operation;
  requestCount: number;
  lastUsedAt: Date;
}

/** Also revokes the keys that the key created, and the keys that those created. Locks rows in the order of `lockStatement`. */
const revokeStatement = `
UPDATE disposable_keys SET revoked_at = $2 WHERE id IN (
  WITH RECURSIVE family AS (
    SELECT id FROM disposable_keys WHERE id = $1
    UNION ALL SELECT k.id FROM disposable_keys k JOIN family f ON k.created_by_key_id = f.id
  )
  SELECT id FROM disposable_keys WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE)`;

/** Two transactions that lock the same keys in different orders would deadlock. */
const lockStatement = 'SELECT 1 FROM disposable_keys WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE';
/** Leaves out keys that were deleted meanwhile. */
const countStatement = `
INSERT INTO disposable_key_usage (key_id, operation, request_count, last_used_at)
SELECT used.* FROM unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[])
  AS used (key_id, operation, request_count, last_used_at)
WHERE EXISTS (SELECT 1 FROM disposable_keys k WHERE k.id = used.key_id)
ORDER BY used.key_id, used.operation
ON CONFLICT (key_id, operation) DO UPDATE SET
  request_count = disposable_key_usage.request_count + excluded.request_count,
  last_used_at = GREATEST(disposable_key_usage.last_used_at, excluded.last_used_at)`;
const lastUsedStatement = `
UPDATE disposable_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
FROM (SELECT key_id, max(at) AS at FROM unnest($1::text[], $2::timestamptz[]) AS each (key_id, at) GROUP BY key_id) used
WHERE k.id = used.key_id`;

/** Recursive and bulk statements over disposable keys. */
@Injectable()
export class DisposableKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  async revokeFamily(manager: EntityManager, keyID: string, revokedAt: Date): Promise<void> {
    await manager.query(revokeStatement, [keyID, revokedAt]);
  }

  addUses(uses: readonly KeyUse[]): Promise<void> {
    const column = <Name extends keyof KeyUse>(name: Name) => uses.map(use => use[name]);
    const keyIDs = column('keyID');
    return this.dataSource.transaction(async manager => {
      await manager.query(lockStatement, [keyIDs]);
      await manager.query(lastUsedStatement, [keyIDs, column('lastUsedAt')]);
      await manager.query(countStatement, [keyIDs, column('operation'), column('requestCount'), column('lastUsedAt')]);
    });
  }
}
