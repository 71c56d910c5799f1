import type { ErrorCode } from '@rtms/contracts';

/** `waiting`: the connection is lost, and the next attempt waits for its delay. */
export type ConnectionPhase = 'connecting' | 'connected' | 'waiting' | 'closed';

/** `refused`: the server refused permanently, so a retry cannot help. */
export type ConnectionInput = 'welcome' | 'lost' | 'refused' | 'retry' | 'farewell' | 'close';

const table: Readonly<Record<ConnectionPhase, Readonly<Partial<Record<ConnectionInput, ConnectionPhase>>>>> = {
  connecting: { welcome: 'connected', lost: 'waiting', refused: 'closed', farewell: 'closed', close: 'closed' },
  connected: { lost: 'waiting', farewell: 'closed', close: 'closed' },
  waiting: { retry: 'connecting', close: 'closed' },
  closed: {},
};

/** Returns the next phase. An input without an entry in the table changes nothing. */
export function nextPhase(phase: ConnectionPhase, input: ConnectionInput): ConnectionPhase {
  return table[phase][input] ?? phase;
}

const worthAnotherTry: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

export function inputOfRefusal(code: ErrorCode): 'lost' | 'refused' {
  return worthAnotherTry.includes(code) ? 'lost' : 'refused';
}

const shortestMs = 500;
const longestMs = 10_000;

/** Delay before a retry in ms. Doubles with each attempt. `random` (0 to 1) spreads the members of a replica that stopped. */
export function retryDelay(attempt: number, random: number): number {
  const delay = Math.min(longestMs, shortestMs * 2 ** Math.min(attempt, 10));
  return delay / 2 + (delay / 2) * random;
}
