import { Controller, Get, Param } from '@nestjs/common';
import { participantRoles, type RoomLiveAnswer } from '@rtms/contracts';
import { z } from 'zod';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { CurrentAccount, DashboardFor } from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { count, identifier, one, time } from '../../platform/http/answers.js';
import { RoomLiveService } from './room-live.service.js';

type Account = NonNullable<SignedIn['account']>;

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
@DashboardFor('owner')
export class DashboardRoomsController {
  constructor(private readonly rooms: RoomLiveService) {}

  @Get(':meetingID/live')
  @ApiOperation({ operationId: 'getLiveRoom', summary: 'Read the members and viewers of a room' })
  @ApiAnswer(one('live', liveSchema))
  async live(@CurrentAccount() { accountID }: Account, @Param('meetingID') meetingID: string): Promise<RoomLiveAnswer> {
    return { success: true, live: await this.rooms.read(accountID, meetingID) };
  }
}
