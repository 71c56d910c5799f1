import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { BalancesService } from '../balance/balances.service.js';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { FactBacklog } from '../facts/fact-backlog.service.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingLifecycle } from '../recordings/recording-lifecycle.service.js';
import { RoomEndingService } from '../room-ending/room-ending.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { Settlement } from './settlement.service.js';

/** How often to look whether minutes are used up: what runs on meanwhile is not paid for. */
const lookMs = 5_000;

/** Charges what runs at regular times, and ends the rooms and recordings whose accounts have no minutes left. */
@Injectable()
export class MeteringTask implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MeteringTask.name);
  private readonly task: RepeatingTask;
  private settledAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocks,
    private readonly settlement: Settlement,
    private readonly balances: BalancesService,
    private readonly ending: RoomEndingService,
    private readonly recordings: RecordingLifecycle,
    private readonly commands: WorkerCommands,
    private readonly nodes: NodeRegistry,
    private readonly facts: FactBacklog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const pauseMs = Math.min(lookMs, settings.meteringIntervalMs);
    this.task = new RepeatingTask(this.clock, MeteringTask.name, pauseMs, () => this.run());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  private async run(): Promise<void> {
    await this.locks.under('metering', async () => {
      await this.balances.fold();
      // After an outage the fact that something ended may still be on its way: then nothing is charged yet.
      if (this.nodes.isSettled() && !(await this.facts.isLate())) await this.meter(new Date(this.clock.now()));
    });
  }

  private async meter(now: Date): Promise<void> {
    const isDue = now.getTime() - this.settledAt >= this.settings.meteringIntervalMs;
    if (isDue || (await this.balances.isAnyExhausted(now))) {
      await this.settlement.settle(now);
      this.settledAt = now.getTime();
    }
    for (const room of await this.balances.listExhaustedRooms()) await this.endRoom(room.id);
    for (const { id } of await this.balances.listExhaustedRecordings()) await this.endRecording(id);
  }

  private async endRecording(id: string): Promise<void> {
    this.logger.log({ recordingID: id }, 'a recording ends because its minutes are used up');
    const commands = await this.dataSource.transaction(manager =>
      this.recordings.endAll(manager, { id }, 'balance_exhausted'),
    );
    await this.commands.tell(commands);
  }

  private async endRoom(meetingID: string): Promise<void> {
    this.logger.log({ meetingID }, 'a room ends because its minutes are used up');
    await this.ending.end({ id: meetingID }, 'balance_exhausted');
  }
}
