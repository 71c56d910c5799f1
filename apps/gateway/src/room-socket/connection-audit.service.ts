import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { Presence } from '../room-life/presence.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import type { Actor } from './actor.js';
import { MemberConnections } from './member-connections.service.js';

interface Standing {
  connectionID: string;
  currentID: string | null;
  meetingID: string;
  participantID: string;
  leaveReason: EndReason | null;
}

/** Connections that the database no longer has as theirs; an event is on its way to whom has left just now. */
const strayStatement = `
SELECT mine.connection_id AS "connectionID", p.connection_id AS "currentID", p.meeting_id AS "meetingID",
  p.id AS "participantID", p.leave_reason AS "leaveReason"
FROM unnest($1::text[], $2::text[]) AS mine (connection_id, participant_id)
JOIN participants p ON p.id = mine.participant_id WHERE p.connection_id IS DISTINCT FROM mine.connection_id
  AND (p.left_at IS NULL OR p.left_at < $3::timestamptz - interval '2 seconds')`;

interface Ended {
  sessionID: string;
  endReason: EndReason | null;
}

const endedStatement = `SELECT id AS "sessionID", end_reason AS "endReason" FROM external_sessions
WHERE id = ANY($1) AND state IN ('ended', 'failed')`;

/** Finds what news that went astray would have told: that a connection was replaced, given up, or is over. */
@Injectable()
export class ConnectionAudit implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly connections: MemberConnections,
    private readonly presence: Presence,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, ConnectionAudit.name, settings.sweepIntervalMs, () => this.look());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  private async look(): Promise<void> {
    const all = this.connections.list();
    await this.lookAtMembers(all.filter(each => each.sessionID === undefined));
    await this.lookAtSessions(all.filter(each => each.sessionID !== undefined));
  }

  private async lookAtMembers(mine: readonly Actor[]): Promise<void> {
    if (mine.length === 0) return;
    const ids = [mine.map(each => each.connectionID), mine.map(each => each.participantID)];
    const strays = await this.dataSource.query<Standing[]>(strayStatement, [...ids, new Date(this.clock.now())]);
    for (const stray of strays) await this.settle(stray);
  }

  /** One that ended before it was active was never in the roster, so no event tells of it. */
  private async lookAtSessions(mine: readonly Actor[]): Promise<void> {
    if (mine.length === 0) return;
    const ended = await this.dataSource.query<Ended[]>(endedStatement, [mine.map(each => each.sessionID)]);
    for (const { sessionID, endReason } of ended)
      for (const { connectionID } of mine.filter(each => each.sessionID === sessionID))
        this.connections.end(connectionID, endReason ?? 'requested');
  }

  private async settle({ connectionID, currentID, leaveReason, ...who }: Standing): Promise<void> {
    if (leaveReason) this.connections.end(connectionID, leaveReason);
    else if (currentID !== null) this.connections.end(connectionID, 'replaced');
    else await this.presence.resume({ ...who, connectionID });
  }
}
