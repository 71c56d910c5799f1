import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { secondsLeft } from '@rtms/http';
import type { Response } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { AttemptCountsRepository } from '../../platform/limits/attempt-counts.repository.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { defaultSignInLimits, type SignInLimits } from './sign-in-limits.js';

/**
 * Whose attempts are counted: those of a client address and of an e-mail address from anywhere, of a known device, or of a user who is
 * signed in. Strangers use up neither of the latter two.
 */
export type AttemptSubject = { address: string } | { email: string } | { device: string } | { userID: string };

/** Counts attempts one by one, before anything is looked at: all replicas together let no more in. */
@Injectable()
export class SignInAttemptsService {
  private readonly limits: SignInLimits;

  constructor(
    private readonly counts: AttemptCountsRepository,
    @Inject(GATEWAY_CONFIG) { signInLimits = defaultSignInLimits }: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.limits = signInLimits;
  }

  /** RATE_LIMITED when a subject has used up its attempts. */
  async count(response: Response, ...subjects: AttemptSubject[]): Promise<void> {
    for (const subject of subjects) {
      const count = await this.counts.add(subject, this.limits.windowSeconds);
      if (count > this.quotaOf(subject)) throw this.refusal(response);
    }
  }

  /** The attempt was good: an address has this attempt again, any other subject all of them. */
  async forgive(...subjects: AttemptSubject[]): Promise<void> {
    for (const subject of subjects) await this.counts.subtract(subject, 'address' in subject ? 1 : 2 ** 30);
  }

  private quotaOf(subject: AttemptSubject): number {
    return 'address' in subject ? this.limits.perAddress : this.limits.perEmail;
  }

  private refusal(response: Response): ServiceError {
    const seconds = secondsLeft(this.clock.now(), this.limits.windowSeconds);
    response.setHeader('Retry-After', String(seconds));
    return new ServiceError('rate_limited', `Too many attempts. Try again in ${seconds} s.`);
  }
}
