import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime.module.js';
import { sealedColumns, type SealedColumn } from './sealed-columns.js';
import { sealPrefixBytes, SecretVault } from './secret-vault.js';

const batchRows = 500;
/** A call works for about so long, so that whoever asked gets an answer. */
const callMs = 10_000;

export interface RotationProgress {
  /** How many secrets this call sealed anew. */
  reencrypted: number;
  /** How many open under no key that is known here; they stay as they are. */
  unreadable: number;
  /** false: there is more to do; call again. */
  done: boolean;
}

interface SealedRow {
  id: string;
  sealed: Buffer;
}

/**
 * Seals every stored secret anew that is not under the current secret key. Each batch is kept by itself, and what is
 * done is not done again: a run that is broken off goes on where it was, and several may run at once.
 */
@Injectable()
export class SecretRotationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async rotate(): Promise<RotationProgress> {
    const end = this.clock.now() + callMs;
    const progress = { reencrypted: 0, unreadable: 0 };
    for (const column of Object.values(sealedColumns)) {
      for (let last: string | undefined = ''; last !== undefined;) {
        if (this.clock.now() > end) return { ...progress, done: false };
        last = await this.rotateBatch(column, last, progress);
      }
    }
    return { ...progress, done: true };
  }

  /** Answers after which row to go on. */
  private async rotateBatch(
    column: SealedColumn,
    after: string,
    progress: Omit<RotationProgress, 'done'>,
  ): Promise<string | undefined> {
    const rows = await this.readOutdated(column, after);
    for (const row of rows) {
      const sealed = this.reseal(column, row);
      if (!sealed) progress.unreadable += 1;
      else if (await this.replace(column, row, sealed)) progress.reencrypted += 1;
    }
    return rows.length < batchRows ? undefined : rows.at(-1)?.id;
  }

  private readOutdated({ table, idColumn, column }: SealedColumn, after: string): Promise<SealedRow[]> {
    return this.dataSource.query<SealedRow[]>(
      `SELECT ${idColumn} AS id, ${column} AS sealed FROM ${table}
       WHERE ${idColumn} > $1 AND ${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${sealPrefixBytes}) <> $2
       ORDER BY ${idColumn} LIMIT ${batchRows}`,
      [after, this.vault.currentPrefix],
    );
  }

  private reseal(column: SealedColumn, { id, sealed }: SealedRow): Buffer | undefined {
    try {
      return this.vault.seal(column, id, this.vault.open(column, id, sealed));
    } catch {
      return undefined;
    }
  }

  /** Whoever changed the row in between has sealed it under a key of their own choice: the next call looks again. */
  private async replace({ table, idColumn, column }: SealedColumn, row: SealedRow, sealed: Buffer): Promise<boolean> {
    const replaced = await this.dataSource.query<unknown[]>(
      `WITH replaced AS (UPDATE ${table} SET ${column} = $3 WHERE ${idColumn} = $1 AND ${column} = $2 RETURNING 1)
       SELECT 1 FROM replaced`,
      [row.id, row.sealed, sealed],
    );
    return replaced.length > 0;
  }
}
