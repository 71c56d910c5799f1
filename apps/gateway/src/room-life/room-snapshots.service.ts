import { Injectable } from '@nestjs/common';
import type { RoomSnapshot } from '@rtms/contracts';
import { IsNull, Not } from 'typeorm';
import { ChatService } from '../chat/chat.service.js';
import { Participant } from '../participants/participant.entity.js';
import { PollsService } from '../polls/polls.service.js';
import { presentRosterEntry } from './present-roster.js';
import type { RoomChange } from './room-change.js';

/** A room as one of its members sees it when it comes in. */
@Injectable()
export class RoomSnapshots {
  constructor(
    private readonly chat: ChatService,
    private readonly polls: PollsService,
  ) {}

  async read({ manager, room }: RoomChange, viewer: Participant): Promise<RoomSnapshot> {
    const { id: meetingID } = room;
    const present = await manager.find(Participant, {
      where: { meetingID, state: 'joined', connectedAt: Not(IsNull()) },
      order: { connectedAt: 'ASC', id: 'ASC' },
    });
    return {
      meetingID,
      roster: present.map(row => presentRosterEntry(row, room)),
      chat: await this.chat.recent(manager, meetingID, viewer.id),
      polls: await this.polls.list(manager, meetingID, viewer),
    };
  }
}
