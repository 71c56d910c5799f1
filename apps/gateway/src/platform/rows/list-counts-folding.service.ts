import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../jobs/repeating-task.js';
import { CLOCK } from '../runtime/runtime.module.js';
import { AdvisoryLocksService } from '../database/advisory-locks.service.js';
import { foldStatement, manyChangesStatement } from './counted-lists.js';

const pauseMs = 10_000;

/** Moves the changes that triggers wrote into the counts of lists, so that totals stay quick. */
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

  /** Moves all present changes. Does nothing while another replica does it. */
  async fold(): Promise<void> {
    await this.locks.under('listCounts', async () => {
      do await this.dataSource.query(foldStatement);
      while ((await this.dataSource.query<unknown[]>(manyChangesStatement)).length > 0);
    });
  }
}
