import { z } from 'zod';
import { count } from '../http/answers.js';
import type { KeyType } from '../auth/caller.js';
import type { Remaining } from './balances.service.js';

const minutesSchema = z.object({ meetingMinutes: count, recordingMinutes: count }).meta({ id: 'Minutes' });
type PresentedMinutes = z.infer<typeof minutesSchema>;

export const balanceSchema = z.object({ sandbox: minutesSchema, production: minutesSchema }).meta({ id: 'Balance' });
export type PresentedBalance = z.infer<typeof balanceSchema>;

export function presentBalance({ sandbox, production }: Record<KeyType, Remaining>): PresentedBalance {
  return { sandbox: presentRemaining(sandbox), production: presentRemaining(production) };
}

function presentRemaining({ meetingMs, recordingMs }: Remaining): PresentedMinutes {
  return { meetingMinutes: wholeMinutes(meetingMs), recordingMinutes: wholeMinutes(recordingMs) };
}

/** Never more than there is, and never a debt. */
function wholeMinutes(ms: number): number {
  return Math.max(0, Math.floor(ms / 60_000));
}
