import { Logger } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';

const pauseMs = 500;

/** Opens something that needs a server which may be away, trying until it is there. Closing gives up trying. */
export function openWhenPossible(name: string, open: () => Promise<Closeable>): Closeable {
  const logger = new Logger(name);
  const stop = new AbortController();
  const opened = tryUntilOpen(open, stop.signal, error => logger.warn(`not yet possible: ${messageOf(error)}`));
  return {
    close: async () => {
      stop.abort();
      await (await opened)?.close();
    },
  };
}

async function tryUntilOpen(
  open: () => Promise<Closeable>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Closeable | undefined> {
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      onFailure(error);
      await pause(signal);
    }
  }
  return undefined;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
