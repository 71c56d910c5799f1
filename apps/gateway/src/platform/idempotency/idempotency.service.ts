import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { RepeatingTask } from '../jobs/repeating-task.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { sameHash } from '../secrets/cryptography.js';
import {
  IdempotentRequestsRepository,
  type KeptRequest,
  type RequestIdentity,
} from './idempotent-requests.repository.js';
import { judgeFailure, type KeptAnswer } from './kept-answer.js';

const waitMs = 10_000;
const firstPauseMs = 20;
const longestPauseMs = 250;
const sweepMs = 60_000;

export type Outcome = { kind: 'done'; body: unknown } | { kind: 'replayed'; answer: KeptAnswer };

/** Does the work of each key once, on whichever replica a repeat arrives. Forgets keys after a day. */
@Injectable()
export class IdempotencyService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly sweeping: RepeatingTask;

  constructor(
    private readonly requests: IdempotentRequestsRepository,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.sweeping = new RepeatingTask(clock, IdempotencyService.name, sweepMs, () => requests.sweep());
  }

  onApplicationBootstrap(): void {
    this.sweeping.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweeping.close();
  }

  /** `content` must be the same in each repeat. */
  async once(identity: RequestIdentity, content: string, work: () => Promise<unknown>): Promise<Outcome> {
    const id = this.requests.idOf(identity);
    const fingerprint = await this.hasher.hash('idempotency-fingerprint', content);
    const end = this.clock.now() + waitMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (await this.requests.claim(id, identity.accountID, fingerprint)) return this.perform(id, work);
      const answer = await this.findAnswer(id, fingerprint);
      if (answer) return { kind: 'replayed', answer };
      if (this.clock.now() > end) throw stillRunning();
      await this.clock.pause(pauseMs);
    }
  }

  /** undefined: another request is doing the work, or has just given it up. */
  private async findAnswer(id: string, fingerprint: Buffer): Promise<KeptAnswer | undefined> {
    const kept = await this.requests.find(id);
    if (!kept) return undefined;
    requireSame(kept, fingerprint);
    if (!kept.answer && !kept.mayRun) throw outcomeUnknown();
    return kept.answer;
  }

  private async perform(id: string, work: () => Promise<unknown>): Promise<Outcome> {
    try {
      const body = await work();
      await this.quietly(this.requests.keep(id, { body }));
      return { kind: 'done', body };
    } catch (error) {
      await this.quietly(this.afterFailure(id, error));
      throw error;
    }
  }

  private async afterFailure(id: string, error: unknown): Promise<void> {
    const judged = judgeFailure(error);
    if (judged.kind === 'keep') await this.requests.keep(id, judged.answer);
    if (judged.kind === 'release') await this.requests.release(id);
  }

  /** A failure to store does not fail the request. A repeat then gets `idempotency_outcome_unknown`. */
  private async quietly(storing: Promise<void>): Promise<void> {
    await storing.catch((error: unknown) => {
      this.logger.warn(`an answer could not be kept: ${messageOf(error)}`);
    });
  }
}

function requireSame({ fingerprint: first }: KeptRequest, fingerprint: Buffer): void {
  if (sameHash(first, fingerprint)) return;
  throw new ServiceError('idempotency_key_reused', 'This Idempotency-Key was sent before with another body.');
}

function stillRunning(): ServiceError {
  return new ServiceError('idempotency_key_in_use');
}

function outcomeUnknown(): ServiceError {
  return new ServiceError(
    'idempotency_outcome_unknown',
    'The first request with this Idempotency-Key was cut off, and may have taken effect. Look, then use another key.',
  );
}
