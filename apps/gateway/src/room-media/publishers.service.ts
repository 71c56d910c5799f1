import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Participant } from '../participants/participant.entity.js';
import { mayPublish } from '../room-life/permissions.js';
import { requireCurrent, type Speaker } from '../room-life/require-current.js';
import { requireRoom, requireRunning } from '../rooms/require-running.js';
import { Room } from '../rooms/room.entity.js';
import type { Publisher } from './publisher.js';

/** Whose media a connection is about, as it is now. */
@Injectable()
export class Publishers {
  constructor(private readonly dataSource: DataSource) {}

  async member(speaker: Speaker): Promise<Publisher> {
    const { manager } = this.dataSource;
    const { participantID: id, meetingID } = speaker;
    const room = requireRunning(requireRoom(await manager.findOneBy(Room, { id: meetingID })));
    const row = requireCurrent(await manager.findOneBy(Participant, { id, meetingID, state: 'joined' }), speaker);
    return { mediaID: row.id, room, role: row.role, mayPublish: mayPublish(room.settings, row), tracks: row.tracks };
  }
}
