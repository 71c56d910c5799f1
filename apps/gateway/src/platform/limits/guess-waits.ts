/** How wrong guesses slow the next ones down. */
export interface GuessPolicy {
  /** So many wrong guesses cost no wait; the one after them waits a second, and each further one twice as long. */
  free: number;
  longestWaitMs: number;
}

/** The wrong guesses of a subject: one address, or all addresses together. */
export interface Guesses {
  /** Wrong ones. */
  count: number;
  lastAt: number;
  waitsUntil: number;
}

/** So long after the last wrong guess nothing is known any more. Longer than any wait, so that waiting in silence gains nothing. */
export const forgetMs = 3_600_000;

const firstWaitMs = 1_000;

export function waitAfter(count: number, { free, longestWaitMs }: GuessPolicy): number {
  return count < free ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (count - free));
}

/** With one wrong guess more. */
export function afterWrong(before: Guesses | undefined, policy: GuessPolicy, now: number): Guesses {
  const count = known(before, now) + 1;
  return { count, lastAt: now, waitsUntil: now + waitAfter(count, policy) };
}

/** The number of wrong guesses that count. */
function known(guesses: Guesses | undefined, now: number): number {
  return guesses === undefined || now - guesses.lastAt >= forgetMs ? 0 : guesses.count;
}

/** So many wrong guesses of all addresses together, and an address that never guessed wrong waits like the others. */
const manyStrangers = 1_000;

/**
 * How long a guess must wait; 0: not at all. An address that never guessed wrong does not wait for those that did: guesses of some keep
 * nobody out who knows the secret. Only a guesser with very many addresses makes everybody wait, and for the longest wait at most.
 */
export function waitOf(own: Guesses | undefined, all: Guesses | undefined, now: number): number {
  const isStranger = known(own, now) === 0;
  const waits = [own, isStranger && known(all, now) < manyStrangers ? undefined : all];
  return Math.max(0, ...waits.map(each => (each ? each.waitsUntil - now : 0)));
}
