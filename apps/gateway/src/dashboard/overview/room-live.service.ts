import { Injectable } from '@nestjs/common';
import type { RoomLiveAnswer } from '@rtms/contracts';
import { PlaybackLifecycleService } from '../../media/playbacks/playback-lifecycle.service.js';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { presentTime } from '../../platform/http/present.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';

const membersAtMost = 200;

/** The members of a room and the viewers of its playbacks. */
@Injectable()
export class RoomLiveService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly participants: ParticipantsService,
    private readonly playbacks: PlaybackLifecycleService,
  ) {}

  async read(accountID: string, meetingID: string): Promise<RoomLiveAnswer['live']> {
    await this.rooms.find(wholeAccount(accountID), meetingID);
    const [members, playbacks] = await Promise.all([
      this.participants.listMembers(meetingID, membersAtMost),
      this.playbacks.listLive(meetingID),
    ]);
    return {
      members: members.map(({ id: participantID, userName, role, isConnected, joinedAt }) => ({
        participantID,
        userName,
        role,
        state: isConnected ? 'connected' : 'joined',
        createdAt: presentTime(joinedAt),
      })),
      viewers: playbacks.map(({ id: playbackID, sourceSessionID, viewerCount }) => ({
        playbackID,
        sourceSessionID,
        viewerCount,
      })),
    };
  }
}
