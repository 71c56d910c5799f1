import type { KeyType } from '../auth/caller.js';

export type UsageKind = 'external_session' | 'participant' | 'recording';

/** A stretch of time in which something ran, as the ledger has it. */
export interface UsageInterval {
  id: string;
  accountID: string;
  keyType: KeyType;
  kind: UsageKind;
  startedAt: Date;
  /** null: it still runs. */
  endedAt: Date | null;
  /** Up to where it is charged; beyond the end when the end became known late. */
  meteredUntil: Date;
}

/** How far an interval is to be charged now. */
export interface Advance {
  id: string;
  meteredUntil: Date;
  /** Nothing will be left to charge. */
  settled: boolean;
}

/** What a balance loses; negative where more had been charged than ran. */
export interface Charge {
  accountID: string;
  keyType: KeyType;
  meetingMs: number;
  recordingMs: number;
}

/** How far to charge: what runs up to now, what has ended up to its end, even when that lies behind what is charged. */
export function advance({ id, endedAt, meteredUntil }: UsageInterval, now: Date): Advance {
  if (endedAt) return { id, meteredUntil: endedAt, settled: true };
  // A clock that was set back must not give anything back while it runs.
  return { id, meteredUntil: now > meteredUntil ? now : meteredUntil, settled: false };
}

/** The charges that bring the intervals up to date, one for each balance, always in the same order. */
export function chargesOf(intervals: readonly UsageInterval[], now: Date): Charge[] {
  const charges = new Map<string, Charge>();
  for (const interval of intervals) {
    const { accountID, keyType } = interval;
    const key = `${accountID} ${keyType}`;
    const charge = charges.get(key) ?? { accountID, keyType, meetingMs: 0, recordingMs: 0 };
    const ms = advance(interval, now).meteredUntil.getTime() - interval.meteredUntil.getTime();
    charge[interval.kind === 'recording' ? 'recordingMs' : 'meetingMs'] += ms;
    charges.set(key, charge);
  }
  return [...charges.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, charge]) => charge);
}
