import { AsyncLocalStorage } from 'node:async_hooks';
import { requestIDOf } from '@rtms/http';
import type { RequestHandler } from 'express';
import type { DataSource, EntityManager, QueryResult, ReplicationMode } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { currentPool } from '../database/connection-pools.js';
import { findWrite } from './announced-tables.js';
import { ChangeSet, type ResourceChange } from './change-set.js';

type Announce = (changes: readonly ResourceChange[]) => void;

interface ChangedRow {
  changed_id: string;
  changed_account: string | null;
}

/** Collects the rows that its statements change in announced tables, and announces them after the commit. */
class AnnouncingQueryRunner extends PostgresQueryRunner {
  private readonly changes = new ChangeSet();

  constructor(
    driver: PostgresDriver,
    mode: ReplicationMode,
    private readonly announce: Announce,
  ) {
    super(driver, mode);
  }

  override async query(statement: string, parameters?: unknown[], useStructuredResult = false): Promise<unknown> {
    const write = findWrite(statement);
    if (!write) return super.query(statement, parameters, useStructuredResult);
    const result = (await super.query(write.statement + requestComment(), parameters, true)) as QueryResult<ChangedRow>;
    for (const row of result.records)
      this.changes.add({ kind: write.kind, id: row.changed_id, accountID: row.changed_account });
    if (!this.isTransactionActive) this.flush();
    return useStructuredResult ? result : result.raw;
  }

  override async commitTransaction(): Promise<void> {
    try {
      await super.commitTransaction();
    } catch (error) {
      // PostgreSQL may have committed.
      this.flush();
      throw error;
    }
    if (!this.isTransactionActive) this.flush();
  }

  /** The end of a savepoint keeps its changes: a change too many only makes somebody read the row again. */
  override async rollbackTransaction(): Promise<void> {
    await super.rollbackTransaction();
    if (!this.isTransactionActive) this.changes.take();
  }

  note(change: ResourceChange): void {
    this.changes.add(change);
  }

  private flush(): void {
    if (!this.changes.isEmpty) this.announce(this.changes.take());
  }
}

/**
 * Has every write of the DataSource to an announced table announced after its commit: by entities, query builders and SQL
 * as text. Rows that PostgreSQL deletes with the row that they refer to are not announced.
 */
export function announceWrites(dataSource: DataSource, announce: Announce): void {
  const driver = dataSource.driver as PostgresDriver;
  driver.createQueryRunner = mode => new AnnouncingQueryRunner(driver, mode, announce);
}

/** Announces a change that no table shows after the commit of the manager's transaction. */
export function noteChange({ queryRunner }: EntityManager, change: ResourceChange): void {
  if (!(queryRunner instanceof AnnouncingQueryRunner)) throw new Error('A change is noted in a transaction only.');
  queryRunner.note(change);
}

const requestIDs = new AsyncLocalStorage<string>();

/** Lets the changes of a request name it. Register it after `requestID()`. */
export function nameChanges(): RequestHandler {
  return (request, _, next) => requestIDs.run(requestIDOf(request), next);
}

/**
 * The end of a statement that changes rows: the triggers of the event log read the request's ID there. Background work that a request
 * has woken is not the request's.
 */
function requestComment(): string {
  const requestID = currentPool() === 'requests' ? requestIDs.getStore() : undefined;
  return requestID ? ` /* request ${requestID} */` : '';
}
