import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { within } from './within.js';

/** A part of a bench. It runs until `stop`, which returns its result. */
export interface RunningPart<Result> {
  stop(): Promise<Result>;
}

/** The measured load may keep the machine busy. */
const waitMs = 60_000;

/**
 * Runs a part in its own process, so that it shares no event loop with the rest. Resolves once the part says by
 * `playPart` that it has begun.
 */
export async function startPart<Result>(program: URL, task: object): Promise<RunningPart<Result>> {
  const child = fork(fileURLToPath(program));
  const name = `${fileURLToPath(program)} ${JSON.stringify(task).slice(0, 80)}`;
  const next = async (what: string): Promise<unknown> => {
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)));
    ended.catch(() => undefined);
    const message = once(child, 'message').then(([first]: unknown[]) => first);
    try {
      return await within(waitMs, `${name} to ${what}`, Promise.race([message, ended]));
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  };
  child.send(task);
  await next('begin');
  return {
    stop: async () => {
      const result = next('stop');
      child.send('stop');
      return (await result) as Result;
    },
  };
}

/** The child's side: `play` calls `begin` once the load runs, and returns its result soon after the signal aborts. */
export function playPart<Task>(play: (task: Task, begin: () => void, stop: AbortSignal) => Promise<object>): void {
  const stop = new AbortController();
  // The bench has ended.
  process.once('disconnect', () => process.exit(1));
  process.once('message', task => {
    process.once('message', () => stop.abort());
    const begin = (): void => void process.send?.('begun');
    void play(task as Task, begin, stop.signal).then(result => process.send?.(result, () => process.exit(0)));
  });
}
