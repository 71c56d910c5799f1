import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime/runtime.module.js';
import { sealedColumns, type SealedColumn } from './sealed-columns.js';
import { SecretVault } from './secret-vault.js';
import { readOutdated, replaceSealed, type SealedRow } from './secrets.repository.js';

const batchRows = 500;
/** A call ends after about this time, so that its caller gets an answer. */
const callMs = 10_000;

export interface RotationProgress {
  /** The number of secrets that this call encrypted again. */
  reencrypted: number;
  /** The number of secrets that no known key decrypts. They do not change. */
  unreadable: number;
  /** false: call again for the rest. */
  done: boolean;
}

/**
 * Encrypts every stored secret again that is not under the current secret key. Each row is stored by itself and skipped once done, so
 * an interrupted run continues where it stopped, and several may run at once.
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

  /** Returns the id after which to continue. */
  private async rotateBatch(
    column: SealedColumn,
    after: string,
    progress: Omit<RotationProgress, 'done'>,
  ): Promise<string | undefined> {
    const rows = await readOutdated(this.dataSource, column, {
      after,
      prefix: this.vault.currentPrefix,
      limit: batchRows,
    });
    for (const row of rows) {
      const sealed = this.reseal(column, row);
      if (!sealed) progress.unreadable += 1;
      else if (await replaceSealed(this.dataSource, column, row, sealed)) progress.reencrypted += 1;
    }
    return rows.length < batchRows ? undefined : rows.at(-1)?.id;
  }

  private reseal(column: SealedColumn, { id, sealed }: SealedRow): Buffer | undefined {
    try {
      return this.vault.seal(column, id, this.vault.open(column, id, sealed));
    } catch {
      return undefined;
    }
  }
}
