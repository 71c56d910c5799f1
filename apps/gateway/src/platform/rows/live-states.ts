import { In, Not } from 'typeorm';

/** Finds external sessions, playbacks, broadcasts and restreams that have not ended. */
export const live = { state: Not(In(['ended', 'failed'])) };
/** Finds recordings that still receive media. */
export const running = { state: In(['starting', 'recording']) };

/** `live` as SQL, in the words of the partial indexes. `whereLive('p')` is `p.state NOT IN ('ended', 'failed')`. */
export function whereLive(alias?: string): string {
  return `${stateOf(alias)} NOT IN ('ended', 'failed')`;
}

/** `running` as SQL. */
export function whereRunning(alias?: string): string {
  return `${stateOf(alias)} IN ('starting', 'recording')`;
}

/** Finds recordings that have stopped and have no file yet. */
export function whereStopped(): string {
  return "state = 'processing'";
}

function stateOf(alias: string | undefined): string {
  return alias === undefined ? 'state' : `${alias}.state`;
}
