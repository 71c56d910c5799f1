import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import type { Operation } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.js';
import { RepeatingTask } from '../background/repeating-task.js';
import { CLOCK } from '../runtime.module.js';
import { UsageTally, type KeyUse } from './usage-tally.js';

/** What a crash can lose at most. */
const writeEveryMs = 2_000;

/** In one order: two that lock the same keys in different orders would wait for each other crosswise. */
const lockStatement = 'SELECT 1 FROM disposable_keys WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE';
/** Keys that were deleted meanwhile have nothing to be written for. */
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

export interface OperationUsage {
  operation: Operation;
  requestCount: number;
  lastUsedAt: Date;
}

/**
 * What disposable keys were used for. A use is counted here and written down when the key's last written use is two
 * seconds old, at the latest two seconds later and at an orderly end: a request in a burst costs no write, and a crash
 * loses the uses of two seconds at most.
 */
@Injectable()
export class KeyUsageService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(KeyUsageService.name);
  private readonly tally = new UsageTally();
  private readonly task = new RepeatingTask(this.clock, 'KeyUsage', writeEveryMs, () =>
    this.write(this.tally.takeAll()),
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.task.trigger();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.close();
    await this.writeOrKeep(this.tally.takeAll());
  }

  /** Counts a use of a disposable key; any other key leaves no trace here. */
  async note({ keyKind, keyID, lastUsedAt }: Caller, operation: Operation): Promise<void> {
    if (keyKind !== 'disposable') return;
    const now = new Date(this.clock.now());
    this.tally.add({ keyID, operation, requestCount: 1, lastUsedAt: now });
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < writeEveryMs) return;
    await this.writeOrKeep(this.tally.take(keyID));
  }

  async of(keyID: string): Promise<OperationUsage[]> {
    const rows = await this.database.query<(Omit<OperationUsage, 'requestCount'> & { requestCount: string })[]>(
      `SELECT operation, request_count AS "requestCount", last_used_at AS "lastUsedAt"
       FROM disposable_key_usage WHERE key_id = $1 ORDER BY operation`,
      [keyID],
    );
    return rows.map(row => ({ ...row, requestCount: Number(row.requestCount) }));
  }

  /** A count that cannot be written is no reason to refuse a request. */
  private async writeOrKeep(uses: readonly KeyUse[]): Promise<void> {
    await this.write(uses).catch((error: unknown) => {
      this.logger.warn(`usage could not be written: ${messageOf(error)}`);
    });
  }

  private async write(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    try {
      await this.store(uses);
    } catch (error) {
      for (const use of uses) this.tally.add(use);
      throw error;
    }
  }

  private store(uses: readonly KeyUse[]): Promise<void> {
    const column = <Name extends keyof KeyUse>(name: Name) => uses.map(use => use[name]);
    return this.database.transaction(async manager => {
      await manager.query(lockStatement, [column('keyID')]);
      await manager.query(lastUsedStatement, [column('keyID'), column('lastUsedAt')]);
      await manager.query(countStatement, [
        column('keyID'),
        column('operation'),
        column('requestCount'),
        column('lastUsedAt'),
      ]);
    });
  }
}
