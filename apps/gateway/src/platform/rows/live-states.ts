import { In, Not } from 'typeorm';

/** For queries of external sessions, playbacks and broadcasts that have not ended. */
export const live = { state: Not(In(['ended', 'failed'])) };
/** For queries of recordings that media is added to. */
export const running = { state: In(['starting', 'recording']) };

/**
 * `live` as SQL, in the words of the partial indexes over what is live. `alias`: of the table, where the statement has
 * several: `whereLive('p')` is `p.state NOT IN ('ended', 'failed')`.
 */
export function whereLive(alias?: string): string {
  return `${stateOf(alias)} NOT IN ('ended', 'failed')`;
}

/** `running` as SQL, likewise. */
export function whereRunning(alias?: string): string {
  return `${stateOf(alias)} IN ('starting', 'recording')`;
}

function stateOf(alias: string | undefined): string {
  return alias === undefined ? 'state' : `${alias}.state`;
}
