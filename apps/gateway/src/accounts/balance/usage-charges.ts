import type { KeyType } from '../../platform/auth/caller.js';

export type UsageKind = 'external_session' | 'participant' | 'recording';

/** A stretch of the ledger in which a resource ran. */
export interface UsageInterval {
  id: string;
  accountID: string;
  keyType: KeyType;
  kind: UsageKind;
  startedAt: Date;
  /** null while the resource runs. */
  endedAt: Date | null;
  /** The time up to which it is charged. It is later than the end if the end was reported late. */
  meteredUntil: Date;
}

/** The time up to which to charge an interval now. */
export interface Advance {
  id: string;
  meteredUntil: Date;
  /** True when nothing is left to charge. */
  settled: boolean;
}

/** The amount to take off a balance. It is negative if more time was charged than ran. */
export interface Charge {
  accountID: string;
  keyType: KeyType;
  meetingMs: number;
  recordingMs: number;
}

/** Charges a running interval up to now and an ended interval up to its end, even if that refunds time. */
export function advance({ id, endedAt, meteredUntil }: UsageInterval, now: Date): Advance {
  if (endedAt) return { id, meteredUntil: endedAt, settled: true };
  // A clock that was set back must not refund time while the resource runs.
  return { id, meteredUntil: now > meteredUntil ? now : meteredUntil, settled: false };
}

/** Returns one charge for each balance. The order is fixed, so that concurrent settlements cannot deadlock. */
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
