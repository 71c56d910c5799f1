import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime/runtime.module.js';
import { sealedColumns } from '../secrets/sealed-columns.js';
import { SecretVault } from '../secrets/secret-vault.js';
import type { KeptAnswer } from './kept-answer.js';

/** The sender of a request. */
export interface RequestSender {
  accountID: string;
  /** Only the same one gets the answer again. */
  credential: string;
}

/** By what a repeat is known. */
export interface RequestIdentity extends RequestSender {
  key: string;
  /** As the caller sent it. */
  path: string;
}

export interface KeptRequest {
  fingerprint: Buffer;
  /** undefined: the work is not done, or nobody knows how it ended. */
  answer: KeptAnswer | undefined;
  /** Whether somebody may still be at it. */
  mayRun: boolean;
}

interface Row {
  fingerprint: Buffer;
  sealed_answer: Buffer | null;
  may_run: boolean;
}

const lifetime = `interval '24 hours'`;

/** No request works for longer: a query has 5 s, a command to a media node too. */
const workLimit = `interval '60 seconds'`;

const claimStatement = `
INSERT INTO idempotent_requests AS kept (id, account_id, fingerprint, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, sealed_answer = NULL,
    created_at = excluded.created_at
  WHERE kept.created_at <= excluded.created_at - ${lifetime}
RETURNING id`;
const findStatement = `
SELECT fingerprint, sealed_answer, created_at > $2::timestamptz - ${workLimit} AS may_run FROM idempotent_requests WHERE id = $1`;
const sweepStatement = `
DELETE FROM idempotent_requests WHERE id IN (
  SELECT id FROM idempotent_requests WHERE created_at <= $1::timestamptz - ${lifetime} LIMIT 10000
)`;

/** Requests that carried a key, each with its first answer, encrypted: tokens and keys stand in answers. */
@Injectable()
export class IdempotentRequestsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  idOf({ accountID, credential, key, path }: RequestIdentity): string {
    return createHash('sha256')
      .update(JSON.stringify([accountID, credential, path, key]), 'utf8')
      .digest('base64url');
  }

  /** false: another request has it. Of many at the same time one gets it. */
  async claim(id: string, accountID: string, fingerprint: Buffer): Promise<boolean> {
    const claimed = await this.dataSource.query<unknown[]>(claimStatement, [id, accountID, fingerprint, this.now()]);
    return claimed.length > 0;
  }

  async find(id: string): Promise<KeptRequest | undefined> {
    const [row] = await this.dataSource.query<Row[]>(findStatement, [id, this.now()]);
    return row && { fingerprint: row.fingerprint, answer: this.open(id, row), mayRun: row.may_run };
  }

  async keep(id: string, answer: KeptAnswer): Promise<void> {
    const sealed = this.vault.seal(sealedColumns.idempotentAnswer, id, JSON.stringify(answer));
    await this.dataSource.query('UPDATE idempotent_requests SET sealed_answer = $2 WHERE id = $1', [id, sealed]);
  }

  /** As if nobody had asked. */
  async release(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM idempotent_requests WHERE id = $1 AND sealed_answer IS NULL', [id]);
  }

  async sweep(): Promise<void> {
    await this.dataSource.query(sweepStatement, [this.now()]);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }

  private open(id: string, { sealed_answer: sealed }: Row): KeptAnswer | undefined {
    if (!sealed) return undefined;
    return JSON.parse(this.vault.open(sealedColumns.idempotentAnswer, id, sealed)) as KeptAnswer;
  }
}
