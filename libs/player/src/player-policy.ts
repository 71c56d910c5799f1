import { fateOf, type PlayerReason } from './transports/failure.js';
import type { TransportKind } from './transports/transport.js';

/** Attempts with one transport since `play()`. */
export interface Tries {
  /** In a row. Media that plays for `steadyAfterMs` resets the count. */
  failures: number;
  /** `over`: the stream has ended. `refused`: no further attempt helps. */
  state: 'usable' | 'over' | 'refused';
  /** The next attempt asks the page for new addresses first. */
  needsRenewal: boolean;
}

export const playerTimings = {
  /** From the start of an attempt to its first media. HLS may wait for its first segments. */
  mediaWithinMs: { whep: 8_000, hls: 20_000 },
  /** A stalled transport is left after so long, if there is another one. */
  stuckAfterMs: 6_000,
  /** A server may ask each new connection to leave. The player then waits for the end of the connection. */
  moveEveryMs: 10_000,
  /** A transport that plays for so long has no failures. */
  steadyAfterMs: 30_000,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  firstReturnMs: 10_000,
  longestReturnMs: 300_000,
} as const;

/** Failures of one transport in a row. After them it is not tried again. */
export const mostFailures = 8;
/** After so many failures in a row an address that does not answer may have moved to another media node. */
export const movedAfterFailures = 3;
/** Attempts to return to the preferred transport. After them the player stays with the other one. */
export const mostReturns = 10;

export const noTries = (): Tries => ({ failures: 0, state: 'usable', needsRenewal: false });

const isUsable = ({ failures, state }: Tries, most = mostFailures): boolean => state === 'usable' && failures < most;

/** Counts a failure. Without `mayRenew` a refused token is final. */
export function afterFailure(tries: Tries, reason: PlayerReason, mayRenew: boolean): Tries {
  const failures = tries.failures + 1;
  switch (fateOf(reason)) {
    case 'ended':
      return { ...tries, failures, state: 'over' };
    case 'final':
      return { ...tries, failures, state: 'refused' };
    case 'token':
      return mayRenew ? { ...tries, failures, needsRenewal: true } : { ...tries, failures, state: 'refused' };
    case 'temporary': {
      const mayHaveMoved = reason === 'unreachable' && failures >= movedAfterFailures;
      const needsRenewal = tries.needsRenewal || reason === 'renewal_failed' || mayHaveMoved;
      return { ...tries, failures, needsRenewal };
    }
  }
}

/**
 * After a failed attempt to return, the former transport still plays, so the end of a playback says little: it also ends when its
 * last viewer has left. The page may have a new playback.
 */
export function afterFailedReturn(tries: Tries, reason: PlayerReason, mayRenew: boolean): Tries {
  const fate = fateOf(reason);
  if (fate === 'temporary') return { ...tries, needsRenewal: tries.needsRenewal || reason === 'renewal_failed' };
  if (fate === 'final' || !mayRenew) return { ...tries, state: fate === 'ended' ? 'over' : 'refused' };
  return { ...tries, needsRenewal: true };
}

export type NextAttempt = { kind: TransportKind; delayMs: number } | 'ended' | 'failed';

/** The transport to try after a failure: the one with the fewest failures. `order`: the preferred one first. */
export function nextAttempt(
  order: readonly TransportKind[],
  tries: Readonly<Record<TransportKind, Tries>>,
  options: { retryAfterMs?: number; random?: number; mostFailures?: number | undefined } = {},
): NextAttempt {
  const { retryAfterMs = 0, random = 1, mostFailures: most } = options;
  const usable = order.filter(kind => isUsable(tries[kind], most));
  const [best] = usable.sort((one, other) => tries[one].failures - tries[other].failures);
  if (best !== undefined) {
    const { failures } = tries[best];
    return { kind: best, delayMs: failures === 0 ? 0 : Math.max(retryDelayMs(failures, random), retryAfterMs) };
  }
  return order.length > 0 && order.every(kind => tries[kind].state === 'over') ? 'ended' : 'failed';
}

/** Whether another transport than this one may be tried. */
export function hasOther(
  order: readonly TransportKind[],
  kind: TransportKind,
  tries: Record<TransportKind, Tries>,
): boolean {
  return order.some(each => each !== kind && isUsable(tries[each]));
}

/** When to try the preferred transport again. undefined: never. `returns`: attempts so far. */
export function returnDelayMs(
  playing: TransportKind,
  order: readonly TransportKind[],
  tries: Record<TransportKind, Tries>,
  returns: number,
): number | undefined {
  const [preferred] = order;
  if (preferred === undefined || preferred === playing || returns >= mostReturns || !isUsable(tries[preferred]))
    return undefined;
  return Math.min(playerTimings.firstReturnMs * 2 ** returns, playerTimings.longestReturnMs);
}

/** `random` from 0 to 1 spreads the viewers of a lost node over half of the time. */
function retryDelayMs(failures: number, random: number): number {
  const full = Math.min(playerTimings.firstRetryMs * 2 ** (failures - 1), playerTimings.longestRetryMs);
  return Math.round(full * (0.5 + random / 2));
}
