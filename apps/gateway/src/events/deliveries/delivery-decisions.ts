import type { DeliveryCause, DeliveryState } from './delivery.dto.js';

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const firstDelayMs = 5 * secondMs;
/** 5 s, 15 s, 45 s, 2 min, 7 min, 20 min, then each hour. */
const growth = 3;
const maxDelayMs = hourMs;
/** Deliveries of one outage come back at different times. */
const jitter = 0.1;
/** An attempt that would be later is not made. */
const givesUpAfterMs = dayMs;
/** A webhook that fails for so long is disabled. */
const disabledAfterMs = 3 * dayMs;
/** After a longer time without any attempt, a failure begins a new period. */
const quietMs = dayMs;

/** `failing`: no delivery succeeded for three days. `gone`: the address answered 410. */
export const disabledReasons = ['requested', 'failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The answer of an endpoint, or its absence. */
export interface Outcome {
  /** null: no answer. */
  status: number | null;
  /** The wait that the endpoint asked for. */
  retryAfterMs: number | null;
}

export function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns the wait after an attempt, of which the first is 1. `random` is from 0 to 1. */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, random: number): number {
  const backOff = Math.min(firstDelayMs * growth ** Math.min(attempt - 1, 30), maxDelayMs);
  const varied = backOff * (1 + jitter * (2 * random - 1));
  return Math.round(Math.max(varied, Math.min(retryAfterMs ?? 0, maxDelayMs)));
}

interface Tried {
  cause: DeliveryCause;
  /** Number of attempts. */
  claim: number;
  /** The first attempt. */
  triedSince: Date;
}

/** Decides what follows an attempt. A test is sent once, and an address that is gone gets nothing more. */
export function decideNext(
  { cause, claim, triedSince }: Tried,
  outcome: Outcome,
  now: number,
  random: number,
): { state: DeliveryState; nextAt: Date | null } {
  if (isSuccess(outcome)) return { state: 'delivered', nextAt: null };
  const nextAt = now + retryDelayMs(claim, outcome.retryAfterMs, random);
  const isLast = cause === 'test' || outcome.status === 410 || nextAt - triedSince.getTime() > givesUpAfterMs;
  return isLast ? { state: 'failed', nextAt: null } : { state: 'pending', nextAt: new Date(nextAt) };
}

/** The period of a webhook without a success. */
export interface FailureState {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** Decides by the answers of one moment whether a webhook fails, and whether it is disabled. Tests do not count. */
export function judgeFailures(
  { failingSince, lastFailureAt }: FailureState,
  outcomes: readonly (Outcome & { cause: DeliveryCause })[],
  now: number,
): FailureState & { disable: DisabledReason | null } {
  const counted = outcomes.filter(({ cause }) => cause !== 'test');
  if (counted.length === 0) return { failingSince, lastFailureAt, disable: null };
  const gone = counted.some(({ status }) => status === 410) ? ('gone' as const) : null;
  if (counted.some(isSuccess)) return { failingSince: null, lastFailureAt: null, disable: gone };
  const isNew = failingSince === null || now - (lastFailureAt?.getTime() ?? 0) > quietMs;
  const since = isNew ? new Date(now) : failingSince;
  const isLong = now - since.getTime() >= disabledAfterMs;
  return { failingSince: since, lastFailureAt: new Date(now), disable: gone ?? (isLong ? 'failing' : null) };
}

/** Reads `Retry-After`: seconds, or an HTTP date (RFC 9110, section 10.2.3). Returns milliseconds. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs;
  // Date.parse would read other numbers as years.
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
