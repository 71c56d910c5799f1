import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { FactBacklogService } from '../facts/fact-backlog.service.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { RoomEndingService } from '../../rooms/ending/room-ending.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { SettlementRepository } from './settlement.repository.js';

/** How often the task checks balances. Usage between a used-up balance and the next check is not paid for. */
const lookMs = 5_000;

/** Charges usage at regular intervals, and ends rooms and recordings of accounts without minutes. */
@Injectable()
export class MeteringTask extends RepeatingService {
  private readonly logger = new Logger(MeteringTask.name);
  private settledAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocksService,
    private readonly settlement: SettlementRepository,
    private readonly balances: BalancesRepository,
    private readonly ending: RoomEndingService,
    private readonly recordings: RecordingLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly nodes: NodeRegistry,
    private readonly facts: FactBacklogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, Math.min(lookMs, settings.meteringIntervalMs));
  }

  protected async run(): Promise<void> {
    await this.locks.under('metering', async () => {
      await this.balances.fold();
      // After an outage the fact about an end may still wait in the stream, so nothing is charged yet.
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
