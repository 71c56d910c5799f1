import { overviewBuckets, type OverviewAnswer } from '@rtms/contracts';
import { z } from 'zod';
import { balanceSchema } from '../balance/present-balance.js';
import { count, time } from '../http/answers.js';

const minutes = z.number().min(0);

const nowSchema = z.object({
  roomsActive: count,
  participants: count,
  externalSessionsActive: count,
  viewers: count,
  broadcastsActive: count,
  recordingsRunning: count,
  minutesLeft: balanceSchema,
});

const pointSchema = z.object({
  start: time,
  participantMinutes: minutes,
  recordingMinutes: minutes,
  roomsCreated: count,
  externalSessionsCreated: count,
  broadcastsCreated: count,
});

export const overviewSchema: z.ZodType<OverviewAnswer['overview']> = z
  .object({ from: time, to: time, bucket: z.enum(overviewBuckets), now: nowSchema, points: z.array(pointSchema) })
  .meta({ id: 'Overview' });
