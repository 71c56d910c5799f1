import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { Participant } from '../participants/participant.entity.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { GatewayReplica } from './gateway-replica.service.js';
import { Presence, type Connection } from './presence.service.js';
import { RoomChanges } from './room-changes.service.js';
import { RoomCommandsStore } from './room-commands.store.js';
import { SessionRoster } from './session-roster.service.js';

const lapsedStatement = `
SELECT id AS "participantID", meeting_id AS "meetingID" FROM participants
WHERE state = 'joined' AND grace_until <= $1 LIMIT 500`;

/** Connections of gateway processes that are silent, and when those were last heard. */
const orphanedStatement = `
SELECT p.id AS "participantID", p.meeting_id AS "meetingID", p.connection_id AS "connectionID", r.seen_at AS "heardAt"
FROM participants p LEFT JOIN gateway_replicas r ON r.id = p.replica_id
WHERE p.connection_id IS NOT NULL AND p.state = 'joined'
  AND (r.id IS NULL OR r.id = ANY($1)) LIMIT 500`;

interface Orphaned extends Connection {
  heardAt: Date | null;
}

/** Of rooms that are over nobody asks what happened. */
const forgetStatement = `
DELETE FROM room_events WHERE meeting_id IN (
  SELECT meeting_id FROM room_feeds JOIN rooms ON rooms.id = meeting_id
  WHERE rooms.ended_at < $1::timestamptz - interval '10 minutes' LIMIT 100)`;
const forgetFeedsStatement = `
DELETE FROM room_feeds USING rooms WHERE rooms.id = meeting_id AND rooms.ended_at < $1::timestamptz - interval '10 minutes'
  AND NOT EXISTS (SELECT 1 FROM room_events e WHERE e.meeting_id = room_feeds.meeting_id)`;
const forgetMs = 60_000;

/** Keeps who is in rooms true: gives up whom nobody heard of for too long, and shows sessions as they are. */
@Injectable()
export class RoomLifeSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeping: RepeatingTask;
  private readonly forgetting: RepeatingTask;

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly replica: GatewayReplica,
    private readonly presence: Presence,
    private readonly changes: RoomChanges,
    private readonly sessions: SessionRoster,
    private readonly commands: RoomCommandsStore,
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

  /** After an outage of the database everybody who is there has the time to say so before anybody is given up. */
  private async sweep(): Promise<void> {
    await this.sessions.sweep();
    if (!this.replica.isSteady()) return;
    const orphaned = await this.dataSource.query<Orphaned[]>(orphanedStatement, [this.replica.listSilent()]);
    for (const { heardAt, ...connection } of orphaned) await this.presence.lose(connection, { heardAt });
    const lapsed = await this.dataSource.query<Omit<Connection, 'connectionID'>[]>(lapsedStatement, [
      new Date(this.clock.now()),
    ]);
    for (const each of lapsed) await this.giveUp(each);
  }

  private async giveUp({ meetingID, participantID: id }: Omit<Connection, 'connectionID'>): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const row = await change.manager.findOneBy(Participant, { id, state: 'joined' });
      if (row?.graceUntil && row.graceUntil <= change.now) await this.presence.leave(change, row, 'participant_lost');
    });
  }

  private async forget(): Promise<void> {
    await this.commands.forgetOld();
    const now = new Date(this.clock.now());
    await this.dataSource.query(forgetStatement, [now]);
    await this.dataSource.query(forgetFeedsStatement, [now]);
  }
}
