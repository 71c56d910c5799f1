import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { IncomingMessage } from 'node:http';
import {
  clientAddress,
  clientOf,
  isRead,
  RequestCounts,
  secondsLeft,
  windowStart,
  type IsTrustedProxy,
} from '@rtms/http';
import { messageOf } from '@rtms/logging';
import type { Request, RequestHandler, Response } from 'express';
import { Tally } from '@rtms/health';
import { RepeatingTask } from '../jobs/repeating-task.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { RateLimitCountsRepository } from './rate-limit-counts.repository.js';
import {
  defaultRateLimits,
  formatPolicy,
  formatState,
  limitNames,
  quotaNames,
  type RateLimitPolicy,
  type RateLimitsConfig,
} from './rate-limit-policy.js';

const flushMs = 200;
const sweepMs = 60_000;

/** Limits the requests of one address and of one key, so that no caller uses up the service. */
@Injectable()
export class RateLimiterService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimiterService.name);
  /** Refused requests by limit. */
  readonly refusals = new Tally(limitNames);
  private readonly limits: RateLimitsConfig;
  private readonly counts: RequestCounts;
  private readonly sweep: RepeatingTask;

  constructor(
    store: RateLimitCountsRepository,
    @Inject(GATEWAY_CONFIG) { rateLimits = defaultRateLimits }: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.limits = rateLimits;
    this.counts = new RequestCounts(clock, {
      add: additions => store.add(additions),
      pauseMs: flushMs,
      onFailure: error => this.logger.warn(`counts were not shared: ${messageOf(error)}`),
    });
    const { windowSeconds } = rateLimits;
    const oldest = () => windowStart(this.clock.now(), windowSeconds) - windowSeconds;
    this.sweep = new RepeatingTask(this.clock, RateLimiterService.name, sweepMs, () => store.forget(oldest()));
  }

  onApplicationBootstrap(): void {
    this.sweep.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.close();
    await this.counts.close();
  }

  /** Runs before the check of the credential, so that guessing keys is limited too. */
  address(): RequestHandler {
    return (request, response, next) => {
      this.require(this.policy('address', request), () => clientOf(request.ip), response);
      next();
    };
  }

  /** Runs after the key is known. */
  key(): RequestHandler {
    return (request, response, next) => {
      const { caller } = request;
      if (caller) this.require(this.policy('key', request), () => caller.keyID, response);
      next();
    };
  }

  /** Runs before the check of a socket's token. */
  handshake(request: IncomingMessage, isTrusted: IsTrustedProxy): void {
    const { windowSeconds, addressHandshakes: quota = defaultRateLimits.addressHandshakes } = this.limits;
    const client = clientOf(clientAddress(request, isTrusted));
    const { used, seconds } = this.take({ name: 'address-handshakes', quota, windowSeconds }, client);
    if (used === false) throw tooMany('connections', seconds);
  }

  private policy(kind: 'address' | 'key', { method }: Request): RateLimitPolicy {
    const use = isRead(method) ? 'reads' : 'writes';
    const { windowSeconds, [quotaNames[`${kind}-${use}`]]: quota } = this.limits;
    return { name: `${kind}-${use}`, quota, windowSeconds };
  }

  private require(policy: RateLimitPolicy, subjectOf: () => string, response: Response): void {
    if (policy.quota === 0) return;
    const { used, seconds } = this.take(policy, subjectOf());
    addToHeader(response, 'RateLimit-Policy', formatPolicy(policy));
    addToHeader(response, 'RateLimit', formatState(policy, used === false ? policy.quota : used, seconds));
    if (used !== false) return;
    response.setHeader('Retry-After', String(seconds));
    throw tooMany('requests', seconds);
  }

  private take({ name, quota, windowSeconds }: RateLimitPolicy, subject: string) {
    const now = this.clock.now();
    const start = windowStart(now, windowSeconds);
    const used = quota === 0 ? 0 : this.counts.take(`${name}:${subject}`, start, quota);
    if (used === false) this.refusals.add(name);
    return { used, seconds: secondsLeft(now, windowSeconds) };
  }
}

function tooMany(what: string, seconds: number): ServiceError {
  return new ServiceError('rate_limited', `Too many ${what}. Try again in ${seconds} s.`);
}

function addToHeader(response: Response, name: string, item: string): void {
  const former = response.getHeader(name);
  response.setHeader(name, typeof former === 'string' ? `${former}, ${item}` : item);
}
