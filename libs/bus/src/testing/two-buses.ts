import type { Clock } from '@rtms/clock';
import type { Address, Bus } from '../index.js';

/** The time of the bus under test. */
export interface BusTime {
  clock: Clock;
  /** Moves a manual clock. Does nothing with a real server, where the test awaits the event. */
  pass(milliseconds: number): Promise<void>;
}

/** Two clients of one server. */
export type TwoBuses = () => { bus: Bus; other: Bus; time: BusTime };

export interface Greeting {
  name: string;
}

let serial = 0;
/** A name that no other test uses. */
export const unique = (name: string): string => `${name}${process.pid}x${++serial}`;
export const greet = (): Address<Greeting, { text: string }> => ({ subject: `spec.${unique('greet')}` });

export async function makeStream(bus: Bus): Promise<{ stream: string; subject: string }> {
  const stream = unique('SPEC');
  await bus.ensureStream({ name: stream, subjects: [`${stream}.>`] });
  return { stream, subject: `${stream}.a.b` };
}

export async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
}
