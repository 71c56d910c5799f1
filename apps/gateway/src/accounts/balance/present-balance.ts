import { z } from 'zod';
import { count } from '../../platform/http/answers.js';
import type { KeyType } from '../../platform/auth/caller.js';
import type { Remaining } from './balances.repository.js';

const minutesSchema = z
  .object({
    meetingMinutes: count.describe('Remaining minutes of participants and external sessions.'),
    recordingMinutes: count.describe('Remaining minutes of recordings.'),
  })
  .meta({ id: 'Minutes', description: 'Remaining minutes of one environment.' });
type PresentedMinutes = z.infer<typeof minutesSchema>;

export const balanceSchema = z
  .object({ sandbox: minutesSchema, production: minutesSchema })
  .meta({ id: 'Balance', description: 'Remaining minutes of the account.' });
export type PresentedBalance = z.infer<typeof balanceSchema>;

export function presentBalance({ sandbox, production }: Record<KeyType, Remaining>): PresentedBalance {
  return { sandbox: presentRemaining(sandbox), production: presentRemaining(production) };
}

function presentRemaining({ meetingMs, recordingMs }: Remaining): PresentedMinutes {
  return { meetingMinutes: wholeMinutes(meetingMs), recordingMinutes: wholeMinutes(recordingMs) };
}

/** Rounds down, and shows a negative balance as 0. */
function wholeMinutes(ms: number): number {
  return Math.max(0, Math.floor(ms / 60_000));
}
