import { overviewBuckets, type OverviewAnswer } from '@rtms/contracts';
import { z } from 'zod';
import { balanceSchema } from '../../accounts/balance/present-balance.js';
import { count, time } from '../../platform/http/answers.js';
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
