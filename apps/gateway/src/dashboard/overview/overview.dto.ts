import { healthCodes, overviewBuckets, type LiveAnswer, type OverviewAnswer } from '@rtms/contracts';
import { z } from 'zod';
import { balanceSchema } from '../../accounts/balance/present-balance.js';
import { count, identifier, time } from '../../platform/http/answers.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, queryTime } from '../../platform/http/fields.js';

export class GetOverviewDto extends Dto(
  optionalQuery({
    from: queryTime.describe('Start of the period. Default: 24 hours before `to`.'),
    to: queryTime.describe('End of the period, exclusive. Default: now.'),
    bucket: oneOf(overviewBuckets).describe('Length of one point. Default: by the length of the period.'),
  }),
) {}

const minutes = z.number().min(0);

const nowSchema = z.object({
  roomsActive: count.describe('Active rooms.'),
  participants: count.describe('Connected participants.'),
  externalSessionsActive: count.describe('Active external sessions.'),
  viewers: count.describe('Connected WHEP viewers.'),
  broadcastsActive: count.describe('Active broadcasts.'),
  recordingsRunning: count.describe('Running recordings.'),
  minutesLeft: balanceSchema,
});

const pointSchema = z.object({
  start: time.describe('Start of the point.'),
  participantMinutes: minutes.describe('Minutes of participants and external sessions.'),
  recordingMinutes: minutes.describe('Recorded minutes.'),
  roomsCreated: count.describe('Created rooms.'),
  externalSessionsCreated: count.describe('Created external sessions.'),
  broadcastsCreated: count.describe('Created broadcasts.'),
});

export const overviewSchema: z.ZodType<OverviewAnswer['overview']> = z
  .object({
    from: time.describe('Start of the period.'),
    to: time.describe('End of the period, exclusive.'),
    bucket: z.enum(overviewBuckets).describe('Length of one point.'),
    now: nowSchema.describe('Current use.'),
    points: z.array(pointSchema).describe('Use over time.'),
  })
  .meta({ id: 'Overview', description: 'Current and recent use of the account.' });

const liveSessionSchema = z.object({
  sessionID: identifier('ext'),
  meetingID: identifier('room'),
  displayName: z.string().describe('Name of the publisher.'),
  roomName: z.string().nullable().describe('Name of the room.'),
  health: z.array(z.enum(healthCodes)).describe('Problems of the media; empty without problems.'),
  viewers: count.describe('Connected WHEP viewers.'),
  broadcasts: count.describe('Active broadcasts.'),
  recordings: count.describe('Running recordings.'),
  activatedAt: time.describe('When media arrived first.'),
  thumbnail: z.string().nullable().describe('Short-lived path of a JPEG of the present picture; null without video.'),
});
const step = (done: string) => z.boolean().describe(`Whether the account ${done}.`);

export const liveSchema: z.ZodType<LiveAnswer['live']> = z
  .object({
    sessions: z.array(liveSessionSchema).describe('Active external sessions, newest first.'),
    total: count.describe('Number of active external sessions.'),
    steps: z
      .object({
        key: step('has had a key'),
        room: step('has had a room'),
        publish: step('has published'),
        watch: step('has had a viewer or a broadcast'),
        broadcast: step('has had a broadcast'),
      })
      .describe('The first steps of a new account.'),
  })
  .meta({ id: 'Live', description: 'External sessions that send media now.' });
