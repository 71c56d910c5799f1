import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { windowStart } from '@rtms/http';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime/runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';

const countStatement = `
INSERT INTO sign_in_attempts AS kept (subject, window_start, count) VALUES ($1, $2, 1)
ON CONFLICT (subject) DO UPDATE SET
  window_start = GREATEST(kept.window_start, excluded.window_start),
  count = CASE WHEN kept.window_start >= excluded.window_start THEN kept.count + 1 ELSE 1 END
RETURNING count`;

const forgiveStatement = 'UPDATE sign_in_attempts SET count = GREATEST(count - $2, 0) WHERE subject = $1';

/** No window is longer. */
const longestWindowSeconds = 86_400;
const forgetStatement = `
DELETE FROM sign_in_attempts WHERE subject IN (
  SELECT subject FROM sign_in_attempts WHERE window_start < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`;

/** Counts attempts to guess a secret, for all replicas together. Stores a subject as a keyed hash. */
@Injectable()
export class AttemptCountsRepository {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the number of attempts in this window, with this one. */
  async add(subject: object, windowSeconds: number): Promise<number> {
    const now = this.clock.now();
    await this.database.query(forgetStatement, [windowStart(now, longestWindowSeconds)]);
    const parameters = [await this.hasher.hashSubject(subject), windowStart(now, windowSeconds)];
    const [row] = await this.database.query<{ count: number }[]>(countStatement, parameters);
    return row?.count ?? 0;
  }

  async subtract(subject: object, count: number): Promise<void> {
    await this.database.query(forgiveStatement, [await this.hasher.hashSubject(subject), count]);
  }
}
