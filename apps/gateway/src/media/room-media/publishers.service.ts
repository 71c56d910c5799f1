import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  externalSessionTransitions,
  isFinal,
  ServiceError,
  type ParticipantRole,
  type RoomTrack,
  type TrackSource,
} from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { ExternalSession } from '../resources/external-session.entity.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { mayPublish, requireCurrent, type Speaker } from '../../rooms/life/permissions.js';
import { sourceOfSessionTrack } from '../external-sessions/session-roster.service.js';
import { requireRoom, requireRunning } from '../../rooms/records/room-places.service.js';
import { RoomsService, type Room } from '../../rooms/room/rooms.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

/** Finds the publisher of a connection, with its current permissions and tracks. */
@Injectable()
export class PublishersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rooms: RoomsService,
    private readonly participants: ParticipantsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  find(speaker: Speaker & { sessionID?: string | undefined }): Promise<Publisher> {
    const { meetingID, sessionID } = speaker;
    return sessionID === undefined ? this.member(speaker) : this.session(meetingID, sessionID);
  }

  private async room(id: string): Promise<Room> {
    const room = requireRoom(await this.rooms.findByID(id));
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
    const room = await this.room(speaker.meetingID);
    const found = await this.participants.findJoined(speaker.participantID);
    const row = requireCurrent(found?.meetingID === room.id ? found : null, speaker);
    return { mediaID: row.id, room, role: row.role, mayPublish: mayPublish(room.settings, row), tracks: row.tracks };
  }
}

/** A member, or the publisher of an external session, that uses media over the room socket. */
export interface Publisher {
  /** The ID of the publisher on the media node. */
  mediaID: string;
  room: Room;
  /** undefined: an external session, which receives no media. */
  role: ParticipantRole | undefined;
  mayPublish: readonly TrackSource[];
  tracks: readonly RoomTrack[];
}
