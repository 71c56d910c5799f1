import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { externalSessionTransitions, isFinal, ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { Participant } from '../participants/participant.entity.js';
import { mayPublish } from '../room-life/permissions.js';
import { requireCurrent, type Speaker } from '../room-life/require-current.js';
import { sourceOfSessionTrack } from '../room-life/session-roster-entry.js';
import { requireRoom, requireRunning } from '../rooms/require-running.js';
import { Room } from '../rooms/room.entity.js';
import { CLOCK } from '../runtime.module.js';
import type { Publisher } from './publisher.js';

/** Whose media a connection is about, as it is now. */
@Injectable()
export class Publishers {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  find(speaker: Speaker & { sessionID?: string | undefined }): Promise<Publisher> {
    const { meetingID, sessionID } = speaker;
    return sessionID === undefined ? this.member(speaker) : this.session(meetingID, sessionID);
  }

  private async room(id: string): Promise<Room> {
    const room = requireRoom(await this.dataSource.manager.findOneBy(Room, { id }));
    return requireRunning(room, this.clock.now());
  }

  private async session(meetingID: string, id: string): Promise<Publisher> {
    const { manager } = this.dataSource;
    const room = await this.room(meetingID);
    const row = await manager.findOneBy(ExternalSession, { id, meetingID });
    if (!row || isFinal(externalSessionTransitions, row.state))
      throw new ServiceError('session_ended', 'The external session has ended.');
    const tracks = row.tracks.map(track => ({ ...track, source: sourceOfSessionTrack(track) }));
    const allowed = row.requestedTracks.map(kind => sourceOfSessionTrack({ kind }));
    return { mediaID: id, room, role: undefined, mayPublish: allowed, tracks };
  }

  private async member(speaker: Speaker): Promise<Publisher> {
    const { manager } = this.dataSource;
    const { participantID: id, meetingID } = speaker;
    const room = await this.room(meetingID);
    const row = requireCurrent(await manager.findOneBy(Participant, { id, meetingID, state: 'joined' }), speaker);
    return { mediaID: row.id, room, role: row.role, mayPublish: mayPublish(room.settings, row), tracks: row.tracks };
  }
}
