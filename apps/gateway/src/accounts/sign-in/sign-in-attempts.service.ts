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
 * Attempts are counted for a client address, for an email address from anywhere, for a known device, or for a signed-in user. Strangers
 * cannot use up the attempts of a known device or of a signed-in user.
 */
export type AttemptSubject = { address: string } | { email: string } | { device: string } | { userID: string };

/** Counts attempts before the credentials are checked, so that all replicas together allow no more than the limit. */
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

  /** Throws RATE_LIMITED when a subject has used up its attempts. */
  async count(response: Response, ...subjects: AttemptSubject[]): Promise<void> {
    for (const subject of subjects) {
      const count = await this.counts.add(subject, this.limits.windowSeconds);
      if (count > this.quotaOf(subject)) throw this.refusal(response);
    }
  }

  /** Call it after a successful attempt. An address gets this attempt back, any other subject gets all its attempts back. */
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
