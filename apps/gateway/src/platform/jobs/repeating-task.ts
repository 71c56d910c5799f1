import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { inBackground } from '../database/connection-pools.js';

/** Repeats work with a pause between the runs, never two runs at a time. Logs a failed run and continues. */
export class RepeatingTask implements Closeable {
  private readonly logger: Logger;
  private timer: Timer | undefined;
  private running: Promise<void> | undefined;
  private isWanted = false;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    name: string,
    private readonly pauseMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  /** Runs now. During a run, runs once more after it, because the present run may have read its data too early. */
  trigger(): void {
    if (this.isClosed) return;
    this.isWanted = true;
    this.running ??= this.runWhileWanted();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.timer?.cancel();
    await this.running;
  }

  private async runWhileWanted(): Promise<void> {
    this.timer?.cancel();
    while (this.isWanted && !this.isClosed) {
      this.isWanted = false;
      await this.runOnce();
    }
    this.running = undefined;
    if (!this.isClosed) this.timer = this.clock.after(this.pauseMs, () => this.trigger());
  }

  private async runOnce(): Promise<void> {
    try {
      await inBackground(this.work);
    } catch (error) {
      this.logger.warn(`failed, retrying later: ${messageOf(error)}`);
    }
  }
}

/** A service whose `run` repeats from the start of the application to its end. */
export abstract class RepeatingService implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly task: RepeatingTask;

  protected constructor(clock: Clock, pauseMs: number) {
    this.task = new RepeatingTask(clock, new.target.name, pauseMs, () => this.run());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  protected abstract run(): Promise<void>;
}
