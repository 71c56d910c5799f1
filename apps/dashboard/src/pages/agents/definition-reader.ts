import type { ImportResult } from '@rtms/agent-import';
import { systemClock, type Clock } from '@rtms/clock';

/** A definition of the largest size takes about a second. */
export const readingSeconds = 10;

/** The worker took too long, or the browser could not run it. */
export interface ReadingFailure {
  ok: false;
  code: 'too_slow' | 'reader_failed';
}

export type ReadingResult = ImportResult | ReadingFailure;

/**
 * Reads definitions in a worker, one at a time. The worker starts with the page, so that reading fetches nothing. A reading that
 * is stopped, fails or takes too long ends the worker; the next reading starts another one.
 */
export class DefinitionReader {
  private worker: Worker | undefined;

  constructor(private readonly clock: Clock = systemClock) {
    this.start();
  }

  /** undefined: the signal stopped it. */
  read(text: string, signal: AbortSignal): Promise<ReadingResult | undefined> {
    const worker = this.worker ?? this.start();
    return new Promise(resolve => {
      const ended = new AbortController();
      const end = (result?: ReadingResult) => {
        ended.abort();
        timer.cancel();
        resolve(result);
      };
      const endWorker = (result?: ReadingResult) => {
        this.close();
        end(result);
      };
      const fail = () => endWorker({ ok: false, code: 'reader_failed' });
      const timer = this.clock.after(readingSeconds * 1000, () => endWorker({ ok: false, code: 'too_slow' }));
      const listening = { signal: ended.signal };
      signal.addEventListener('abort', () => endWorker(), listening);
      worker.addEventListener('message', ({ data }: MessageEvent<ImportResult>) => end(data), listening);
      worker.addEventListener('error', fail, listening);
      worker.addEventListener('messageerror', fail, listening);
      worker.postMessage(text);
    });
  }

  close(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  private start(): Worker {
    const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' });
    // A worker that never ran, as without a connection to fetch it, is started anew.
    worker.addEventListener('error', () => {
      if (this.worker === worker) this.close();
    });
    return (this.worker = worker);
  }
}
