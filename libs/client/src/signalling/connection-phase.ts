import type { ErrorCode } from '@rtms/contracts';

/** `waiting`: the connection is gone, and the next attempt is due in a moment. */
export type ConnectionPhase = 'connecting' | 'connected' | 'waiting' | 'closed';

/** `refused`: the server said no in a way that trying again will not change. */
export type ConnectionInput = 'welcome' | 'lost' | 'refused' | 'retry' | 'farewell' | 'close';

const table: Readonly<Record<ConnectionPhase, Readonly<Partial<Record<ConnectionInput, ConnectionPhase>>>>> = {
  connecting: { welcome: 'connected', lost: 'waiting', refused: 'closed', farewell: 'closed', close: 'closed' },
  connected: { lost: 'waiting', farewell: 'closed', close: 'closed' },
  waiting: { retry: 'connecting', close: 'closed' },
  closed: {},
};

/** What does not concern a phase leaves it as it is. */
export function nextPhase(phase: ConnectionPhase, input: ConnectionInput): ConnectionPhase {
  return table[phase][input] ?? phase;
}

const worthAnotherTry: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

export function inputOfRefusal(code: ErrorCode): 'lost' | 'refused' {
  return worthAnotherTry.includes(code) ? 'lost' : 'refused';
}

const shortestMs = 500;
const longestMs = 10_000;

/** Doubles with each attempt; `random` (0 to 1) spreads the members of a replica that went away. */
export function retryDelay(attempt: number, random: number): number {
  const delay = Math.min(longestMs, shortestMs * 2 ** Math.min(attempt, 10));
  return delay / 2 + (delay / 2) * random;
}
