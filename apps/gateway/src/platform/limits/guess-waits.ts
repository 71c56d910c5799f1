/** The waits after wrong guesses. */
export interface GuessPolicy {
  /** Number of wrong guesses without a wait. The next one waits a second, and each further one twice as long. */
  free: number;
  longestWaitMs: number;
}

/** The wrong guesses of a subject: one address, or all addresses together. */
export interface Guesses {
  count: number;
  lastAt: number;
  waitsUntil: number;
}

/** Time from the last wrong guess until the count is forgotten. It is longer than any wait, so that waiting gains nothing. */
export const forgetMs = 3_600_000;

const firstWaitMs = 1_000;

export function waitAfter(count: number, { free, longestWaitMs }: GuessPolicy): number {
  return count < free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (count - free));
}

/** Adds a wrong guess. */
export function afterWrong(before: Guesses | undefined, policy: GuessPolicy, now: number): Guesses {
  const count = known(before, now) + 1;
  return { count, lastAt: now, waitsUntil: now + waitAfter(count, policy) };
}

/** The number of wrong guesses that are not forgotten. */
function known(guesses: Guesses | undefined, now: number): number {
  return guesses === undefined || now - guesses.lastAt >= forgetMs ? 0 : guesses.count;
}

/** From this number of wrong guesses of all addresses on, an address without wrong guesses waits too. */
const manyStrangers = 1_000;

/**
 * Returns the milliseconds that a guess must wait. An address without wrong guesses does not wait for the guesses of others, so
 * attackers cannot keep out somebody who knows the secret. Only very many wrong guesses make everybody wait, for the longest wait
 * at most.
 */
export function waitOf(own: Guesses | undefined, all: Guesses | undefined, now: number): number {
  const isStranger = known(own, now) === 0;
  const waits = [own, isStranger && known(all, now) < manyStrangers ? undefined : all];
  return Math.max(0, ...waits.map(each => (each ? each.waitsUntil - now : 0)));
}
