import { inspect } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** ms that tests wait for others by default. A busy machine needs so long. A test may take longer, so that its failure names the wait. */
export const patienceMs = 120_000;

export interface WaitForOptions {
  /** Default `patienceMs`. */
  timeoutMs?: number;
  /** Description of the condition, for the error message. */
  what?: string;
  /** ms between two checks of the first two seconds. Default 20; use more if a check costs another process work. */
  everyMs?: number;
}

/** Checks cost services work. A longer wait has them at most as often as this. */
const longWaitMs = 2_000;
const longWaitEveryMs = 250;

/**
 * Resolves with the first truthy value of `condition`. After the timeout it throws an Error with the last value or error. A
 * condition that throws counts as false.
 */
export async function waitFor<Value>(
  condition: () => Value | Promise<Value>,
  { timeoutMs = patienceMs, what = condition.toString(), everyMs = 20 }: WaitForOptions = {},
): Promise<NonNullable<Value>> {
  const begin = Date.now();
  for (;;) {
    const last = await attempt(condition);
    if (last.value) return last.value;
    const waited = Date.now() - begin;
    if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}; ${describe(last)}`);
    await pause(waited < longWaitMs ? everyMs : Math.max(everyMs, longWaitEveryMs));
  }
}

interface Outcome<Value> {
  value?: Value;
  error?: unknown;
}

async function attempt<Value>(condition: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

function describe({ value, error }: Outcome<unknown>): string {
  return error === undefined ? `the last value was ${inspect(value)}` : `it failed with ${inspect(error)}`;
}
