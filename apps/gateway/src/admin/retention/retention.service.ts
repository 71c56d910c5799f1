import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { defaultRetention } from './retention-periods.js';
import { applyRule, retentionRules, type RetentionRule } from './retention.repository.js';

const dayMs = 24 * 3_600_000;
const pauseMs = 10 * 60_000;

/** The most batches of a rule in one run. The rest waits for the next run, so that the database gets a pause. */
const batchesInARun = 500;

/** Deletes data whose retention period is over, on one gateway at a time and in batches. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RetentionService.name);
  private readonly task = new RepeatingTask(this.clock, RetentionService.name, pauseMs, () => this.run());
  private isClosing = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocksService,
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

  /** Does nothing while another replica runs. */
  async run(): Promise<void> {
    const now = new Date(this.clock.now());
    await this.locks.under('retention', () => this.deleteAll(now));
  }

  private async deleteAll(now: Date): Promise<void> {
    for (const rule of retentionRules) {
      const days = rule.daysOf(this.config.retention ?? defaultRetention);
      if (days === 0) continue;
      const deleted = await this.deleteInBatches(rule, new Date(now.getTime() - days * dayMs));
      if (deleted > 0)
        this.logger.log(
          { what: rule.name, deleted, olderThanDays: days },
          'deleted data whose retention period is over',
        );
    }
  }

  private async deleteInBatches(rule: RetentionRule, before: Date): Promise<number> {
    let total = 0;
    for (let done = 0; done < batchesInARun && !this.isClosing; done += 1) {
      const rows = await applyRule(this.dataSource, rule, before);
      total += rows;
      if (rows < rule.batch) break;
    }
    return total;
  }
}
