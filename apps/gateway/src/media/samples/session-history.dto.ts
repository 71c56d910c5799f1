import { endReasons, externalSessionTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { queryTime } from '../../platform/http/fields.js';
import { pendingReasons } from '../resources/session-events.js';

export class GetSessionHistoryDto extends Dto(
  optionalQuery({
    from: queryTime.describe('Start of the period. Default: an hour before its end.'),
    to: queryTime.describe('End of the period. Default: the end of the session, or now.'),
  }),
) {}

const amount = z.number().min(0);
const sampleSchema = z.object({
  at: time.describe('When the sample was taken, or the start of the step.'),
  bitrate: amount.describe('Received bits per second of all tracks.'),
  fractionLost: amount.max(1).describe('Largest share of lost packets, from 0 to 1.'),
  jitterMs: amount.describe('Jitter in milliseconds.'),
  roundTripMs: amount.nullable().describe('Round-trip time in milliseconds; null: not measured.'),
  frameRate: amount.nullable().describe('Frames per second of video, measured once a minute; null: not measured.'),
});

const eventSchema = z.object({
  at: time.describe('When the state changed.'),
  state: oneOfKeys(externalSessionTransitions).describe('New state of the session.'),
  reason: z
    .enum([...new Set([...pendingReasons, ...endReasons])])
    .nullable()
    .describe('Why the session became `pending` or ended; null: it became `active`.'),
});

export const sessionHistorySchema = z
  .object({
    sessionID: identifier('ext'),
    from: time.describe('Start of the period.'),
    to: time.describe('End of the period.'),
    stepSeconds: count.describe('Seconds between two samples. Long periods have longer steps.'),
    samples: z.array(sampleSchema).describe('At most 720 samples, oldest first. None while nobody publishes.'),
    events: z.array(eventSchema).describe('Changes of state, oldest first: the first and the newest 49.'),
  })
  .meta({
    id: 'SessionHistory',
    description: 'The changes of state of an external session, and the arrival of its media.',
  });
export type PresentedSessionHistory = z.infer<typeof sessionHistorySchema>;
