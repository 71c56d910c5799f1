import type { ImportResult } from '@rtms/agent-import';
import { systemClock, type Clock } from '@rtms/clock';

/** The largest definition takes about a second. */
export const readingSeconds = 10;

/** The worker took too long, or the browser could not run it. */
export interface ReadingFailure {
  ok: false;
  code: 'too_slow' | 'reader_failed';
}

export type ReadingResult = ImportResult | ReadingFailure;

/**
 * Reads definitions in a worker, one at a time. The worker starts with the page, so that reading fetches nothing. The worker ends
 * when reading is stopped, fails or takes too long. The next reading starts another worker.
 */
export class DefinitionReader {
  private worker: Worker | undefined;

  constructor(private readonly clock: Clock = systemClock) {
    this.start();
  }

  /** undefined: the signal stopped the reading. */
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
    // The browser could not fetch the worker: the next reading starts another one.
    worker.addEventListener('error', () => {
      if (this.worker === worker) this.close();
    });
    return (this.worker = worker);
  }
}

/** The offset of a line and column in a text. Both count from 1; columns count whole characters. */
export function textOffset(text: string, line: number, column: number): number {
  const lines = text.split(/(?<=\r\n|\r(?!\n)|\n)/);
  const before = lines.slice(0, line - 1).join('').length;
  return before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
}
