import type { KeyType } from '../auth/caller.js';
import type { Remaining } from './balances.service.js';

interface PresentedMinutes {
  meetingMinutes: number;
  recordingMinutes: number;
}

export type PresentedBalance = Record<KeyType, PresentedMinutes>;

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
