import { Logger } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';

const pauseMs = 500;

/** Opens something that needs a server. Retries every 500 ms until the server answers. `close()` ends the retries. */
export function openWhenPossible(clock: Clock, name: string, open: () => Promise<Closeable>): Closeable {
  const logger = new Logger(name);
  const stop = new AbortController();
  const tryUntilOpen = async (): Promise<Closeable | undefined> => {
    while (!stop.signal.aborted) {
      try {
        return await open();
      } catch (error) {
        logger.warn(`not possible yet, retrying: ${messageOf(error)}`);
        await clock.pause(pauseMs, stop.signal);
      }
    }
    return undefined;
  };
  const opened = tryUntilOpen();
  return {
    close: async () => {
      stop.abort();
      await (await opened)?.close();
    },
  };
}
