import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { foldStatement, openBucket } from './counted-lists.js';

const pauseMs = 600_000;

/** Keeps the counts of lists small, so that summing them stays quick. */
@Injectable()
export class ListBucketsFolding implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task = new RepeatingTask(ListBucketsFolding.name, pauseMs, () => this.fold(new Date()));

  constructor(private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  async fold(now: Date): Promise<void> {
    await this.dataSource.query(foldStatement, [openBucket(now)]);
  }
}
