import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { CLOCK } from '../runtime.module.js';
import { defaultRetention } from './retention-periods.js';
import { retentionRules } from './retention-rules.js';

const dayMs = 24 * 3_600_000;
const pauseMs = 10 * 60_000;

/** In one run: so much is left for the next one rather than keep the database busy without a break. */
const batchesInARun = 500;

/** Deletes what was kept for long enough, one gateway at a time and little by little. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Retention.name);
  private readonly task = new RepeatingTask(this.clock, Retention.name, pauseMs, () => this.run());
  private isClosing = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocks,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.task.close();
  }

  /** Nothing when another replica is at it. */
  async run(): Promise<void> {
    const now = new Date(this.clock.now());
    await this.locks.under('retention', () => this.deleteAll(now));
  }

  private async deleteAll(now: Date): Promise<void> {
    for (const { name, daysOf, statement, batch } of retentionRules) {
      const days = daysOf(this.config.retention ?? defaultRetention);
      if (days === 0) continue;
      const deleted = await this.deleteInBatches(statement, batch, new Date(now.getTime() - days * dayMs));
      if (deleted > 0)
        this.logger.log({ what: name, deleted, olderThanDays: days }, 'deleted what was kept long enough');
    }
  }

  private async deleteInBatches(statement: string, batch: number, before: Date): Promise<number> {
    let total = 0;
    for (let done = 0; done < batchesInARun && !this.isClosing; done += 1) {
      const [rows] = await this.dataSource.query<[unknown[], number]>(statement, [before]);
      total += rows.length;
      if (rows.length < batch) break;
    }
    return total;
  }
}
