import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { RepeatingTask } from '../jobs/repeating-task.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { IdempotentRequestsRepository } from './idempotent-requests.repository.js';

const pauseMs = 60_000;

/** Deletes what is older than a day. */
@Injectable()
export class IdempotencySweeperService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;

  constructor(
    requests: IdempotentRequestsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, IdempotencySweeperService.name, pauseMs, () => requests.sweep());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }
}
