import { Controller, Get, Param } from '@nestjs/common';
import { participantRoles, type RoomLiveAnswer } from '@rtms/contracts';
import { z } from 'zod';
import type { SignedIn } from '../dashboard-sessions/dashboard-sessions.service.js';
import { CurrentAccount, DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import { Answers, count, identifier, one, time } from '../http/answers.js';
import { RoomLiveService } from './room-live.service.js';

type Account = NonNullable<SignedIn['account']>;

const memberSchema = z.object({
  participantID: identifier('part'),
  userName: z.string(),
  role: z.enum(participantRoles),
  state: z.enum(['joined', 'connected']),
  createdAt: time,
});
const viewersSchema = z.object({
  playbackID: identifier('play'),
  sourceSessionID: identifier('ext'),
  viewerCount: count,
});
const liveSchema: z.ZodType<RoomLiveAnswer['live']> = z
  .object({ members: z.array(memberSchema), viewers: z.array(viewersSchema) })
  .meta({ id: 'RoomLive' });

@Controller('dashboard/api/rooms')
@DashboardFor('owner')
export class DashboardRoomsController {
  constructor(private readonly rooms: RoomLiveService) {}

  @Get(':meetingID/live')
  @Answers(one('live', liveSchema))
  async live(@CurrentAccount() { accountID }: Account, @Param('meetingID') meetingID: string): Promise<RoomLiveAnswer> {
    return { success: true, live: await this.rooms.read(accountID, meetingID) };
  }
}
