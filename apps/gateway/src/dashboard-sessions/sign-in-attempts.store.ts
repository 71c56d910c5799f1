import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { secondsLeft, windowStart } from '../rate-limits/rate-limit-policy.js';
import { CLOCK } from '../runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { defaultSignInLimits, type SignInLimits } from './sign-in-limits.js';

const countStatement = `
INSERT INTO sign_in_attempts AS kept (subject, window_start, count) VALUES ($1, $2, 1)
ON CONFLICT (subject) DO UPDATE SET
  window_start = GREATEST(kept.window_start, excluded.window_start),
  count = CASE WHEN kept.window_start >= excluded.window_start THEN kept.count + 1 ELSE 1 END
RETURNING count`;

const forgiveStatement = 'UPDATE sign_in_attempts SET count = GREATEST(count - $2, 0) WHERE subject = $1';
const forgetStatement = `
DELETE FROM sign_in_attempts WHERE subject IN (
  SELECT subject FROM sign_in_attempts WHERE window_start < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`;

/** An address or an e-mail address, and how much it may try. */
export type AttemptSubject = { address: string } | { email: string };

/** Counts attempts in the database, one by one and before anything is looked at: all replicas together let no more in. */
@Injectable()
export class SignInAttempts {
  private readonly limits: SignInLimits;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
    @Inject(GATEWAY_CONFIG) { signInLimits = defaultSignInLimits }: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.limits = signInLimits;
  }

  /** RATE_LIMITED when a subject has used up its attempts. */
  async count(response: Response, ...subjects: AttemptSubject[]): Promise<void> {
    const now = this.clock.now();
    const start = windowStart(now, this.limits.windowSeconds);
    await this.database.query(forgetStatement, [start]);
    for (const subject of subjects) {
      const [row] = await this.database.query<{ count: number }[]>(countStatement, [await this.hashOf(subject), start]);
      if ((row?.count ?? 0) > this.quotaOf(subject)) throw this.refusal(response, now);
    }
  }

  /** The attempt was good: whoever knows the password has all attempts again, an address this one. */
  async forgive(...subjects: AttemptSubject[]): Promise<void> {
    for (const subject of subjects) {
      const all = 'email' in subject;
      await this.database.query(forgiveStatement, [await this.hashOf(subject), all ? 2 ** 30 : 1]);
    }
  }

  private quotaOf(subject: AttemptSubject): number {
    return 'email' in subject ? this.limits.perEmail : this.limits.perAddress;
  }

  /** What was typed in as an e-mail address may be anything. */
  private hashOf(subject: AttemptSubject): Promise<Buffer> {
    return this.hasher.hash('sign-in-subject-hash', JSON.stringify(subject));
  }

  private refusal(response: Response, now: number): ServiceError {
    const seconds = secondsLeft(now, this.limits.windowSeconds);
    response.setHeader('Retry-After', String(seconds));
    return new ServiceError('rate_limited', `Too many attempts. Try again in ${seconds} s.`);
  }
}
