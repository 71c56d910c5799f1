import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { Participant } from '../records/participant.entity.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { GatewayReplica } from './gateway-replica.js';
import { PresenceRepository } from './presence.repository.js';
import { PresenceService } from './presence.service.js';
import { RoomChangesService } from './room-changes.service.js';
import { RoomCommandsRepository } from './room-commands.repository.js';
import { RoomEventsRepository } from './room-events.repository.js';

const forgetMs = 60_000;

/** Removes participants that were away for too long, and deletes the events of ended rooms. */
@Injectable()
export class RoomLifeSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeping: RepeatingTask;
  private readonly forgetting: RepeatingTask;

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly rows: PresenceRepository,
    private readonly replica: GatewayReplica,
    private readonly presence: PresenceService,
    private readonly changes: RoomChangesService,
    private readonly commands: RoomCommandsRepository,
    private readonly events: RoomEventsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.sweeping = new RepeatingTask(this.clock, RoomLifeSweeper.name, settings.sweepIntervalMs, () => this.sweep());
    this.forgetting = new RepeatingTask(this.clock, RoomLifeSweeper.name, forgetMs, () => this.forget());
  }

  onApplicationBootstrap(): void {
    this.sweeping.trigger();
    this.forgetting.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweeping.close(), this.forgetting.close()]);
  }

  /** Waits after an outage of the database until the other replicas could write heartbeats again. */
  private async sweep(): Promise<void> {
    if (!this.replica.isSteady()) return;
    const orphaned = await this.rows.listOrphaned(this.replica.listSilent());
    for (const { heardAt, ...connection } of orphaned) await this.presence.lose(connection, { heardAt });
    for (const lapsed of await this.rows.listLapsed(new Date(this.clock.now()))) await this.giveUp(lapsed);
  }

  private async giveUp({ meetingID, id }: Pick<Participant, 'id' | 'meetingID'>): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.manager.findOneBy(Participant, { id, state: 'joined' });
      if (row?.graceUntil && row.graceUntil <= change.now) await this.presence.leave(change, row, 'participant_lost');
    });
  }

  private async forget(): Promise<void> {
    await this.commands.forgetOld();
    await this.events.forgetEnded(new Date(this.clock.now()));
  }
}
