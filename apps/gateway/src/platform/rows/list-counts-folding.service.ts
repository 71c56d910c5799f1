import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../jobs/repeating-task.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { AdvisoryLocksService } from '../database/advisory-locks.service.js';
import { foldStatement, manyChangesStatement } from './counted-lists.js';

const pauseMs = 10_000;

/** Moves what triggers wrote about lists into their counts, so that adding them up stays quick. */
@Injectable()
export class ListCountsFoldingService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task = new RepeatingTask(this.clock, ListCountsFoldingService.name, pauseMs, () => this.fold());

  constructor(
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocksService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  /** All that is there now; nothing when another replica is at it. */
  async fold(): Promise<void> {
    await this.locks.under('listCounts', async () => {
      do await this.dataSource.query(foldStatement);
      while ((await this.dataSource.query<unknown[]>(manyChangesStatement)).length > 0);
    });
  }
}
