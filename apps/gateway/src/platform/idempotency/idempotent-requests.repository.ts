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
  /** Only the same credential gets the answer again. */
  credential: string;
}

/** Two requests with the same identity are the same request. */
export interface RequestIdentity extends RequestSender {
  key: string;
  /** The path that the caller sent. */
  path: string;
}

export interface KeptRequest {
  fingerprint: Buffer;
  /** undefined: the work is not done, or its outcome is unknown. */
  answer: KeptAnswer | undefined;
  /** Whether the first request may still be running. */
  mayRun: boolean;
}

interface Row {
  fingerprint: Buffer;
  sealed_answer: Buffer | null;
  may_run: boolean;
}

const lifetime = `interval '24 hours'`;

/** Longer than any request: a query and a command to a media node have 5 s each. */
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

/** Requests with a key and their first answers. The answers are encrypted, because some have tokens and keys. */
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

  /** Returns false if another request has the key. One of several requests at the same time gets it. */
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

  /** Makes the key free again. */
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
