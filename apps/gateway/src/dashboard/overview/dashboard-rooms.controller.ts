import { Controller, Get, Param } from '@nestjs/common';
import { participantRoles, type RoomLiveAnswer } from '@rtms/contracts';
import { z } from 'zod';
import { PlaybackLifecycleService } from '../../media/playbacks/playback-lifecycle.service.js';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { CurrentAccount, DashboardFor, type SignedInAccount } from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { count, identifier, one, time } from '../../platform/http/answers.js';
import { presentOne, presentTime } from '../../platform/http/present.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RoomsService } from '../../rooms/room/rooms.service.js';

const membersAtMost = 200;

const memberSchema = z.object({
  participantID: identifier('part'),
  userName: z.string().describe('Name of the participant.'),
  role: z.enum(participantRoles).describe('Role of the participant.'),
  state: z.enum(['joined', 'connected']).describe('`joined`: has a ticket. `connected`: is in the room.'),
  createdAt: time.describe('When the ticket was issued.'),
});
const viewersSchema = z.object({
  playbackID: identifier('play'),
  sourceSessionID: identifier('ext'),
  viewerCount: count.describe('Number of connected viewers.'),
});
const liveSchema: z.ZodType<RoomLiveAnswer['live']> = z
  .object({
    members: z.array(memberSchema).describe('Participants in the room.'),
    viewers: z.array(viewersSchema).describe('Viewers of each playback.'),
  })
  .meta({ id: 'RoomLive', description: 'Participants and viewers of a room.' });

@ApiTag({ name: 'Overview' })
@Controller('dashboard/api/rooms')
@DashboardFor('viewer')
export class DashboardRoomsController {
  constructor(
    private readonly rooms: RoomsService,
    private readonly participants: ParticipantsService,
    private readonly playbacks: PlaybackLifecycleService,
  ) {}

  @Get(':meetingID/live')
  @ApiOperation({ operationId: 'getLiveRoom', summary: 'Read the members and viewers of a room' })
  @ApiAnswer(one('live', liveSchema))
  async live(
    @CurrentAccount() { accountID }: SignedInAccount,
    @Param('meetingID') meetingID: string,
  ): Promise<RoomLiveAnswer> {
    await this.rooms.find(wholeAccount(accountID), meetingID);
    const [members, playbacks] = await Promise.all([
      this.participants.listMembers(meetingID, membersAtMost),
      this.playbacks.listLive(meetingID),
    ]);
    return presentOne('live', {
      members: members.map(({ id: participantID, userName, role, isConnected, joinedAt }) => ({
        participantID,
        userName,
        role,
        state: isConnected ? ('connected' as const) : ('joined' as const),
        createdAt: presentTime(joinedAt),
      })),
      viewers: playbacks.map(({ id: playbackID, sourceSessionID, viewerCount }) => ({
        playbackID,
        sourceSessionID,
        viewerCount,
      })),
    });
  }
}
