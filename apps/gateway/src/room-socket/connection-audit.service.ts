import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EndReason } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { Presence } from '../room-life/presence.service.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { MemberConnections } from './member-connections.service.js';

interface Standing {
  connectionID: string;
  currentID: string | null;
  meetingID: string;
  participantID: string;
  leaveReason: EndReason | null;
}

/** Connections that the database no longer has as theirs. */
const strayStatement = `
SELECT mine.connection_id AS "connectionID", p.connection_id AS "currentID", p.meeting_id AS "meetingID",
  p.id AS "participantID", p.leave_reason AS "leaveReason"
FROM unnest($1::text[], $2::text[]) AS mine (connection_id, participant_id)
JOIN participants p ON p.id = mine.participant_id WHERE p.connection_id IS DISTINCT FROM mine.connection_id`;

/** Finds what news that went astray would have told: that a connection was replaced, given up, or is over. */
@Injectable()
export class ConnectionAudit implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly connections: MemberConnections,
    private readonly presence: Presence,
  ) {
    this.task = new RepeatingTask(ConnectionAudit.name, settings.sweepIntervalMs, () => this.look());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  private async look(): Promise<void> {
    const mine = this.connections.list();
    if (mine.length === 0) return;
    const ids = [mine.map(each => each.connectionID), mine.map(each => each.participantID)];
    for (const stray of await this.dataSource.query<Standing[]>(strayStatement, ids)) await this.settle(stray);
  }

  private async settle({ connectionID, currentID, leaveReason, ...who }: Standing): Promise<void> {
    if (leaveReason) this.connections.end(connectionID, leaveReason);
    else if (currentID !== null) this.connections.end(connectionID, 'replaced');
    else await this.presence.resume({ ...who, connectionID });
  }
}
