import type { Logger } from '@rtms/logging';

export interface StoppableService {
  /** Lets what runs come to its end; resolves when nothing runs any more or the time for it is over. */
  drain(): Promise<void>;
  /** Ends everything now. */
  close(): Promise<void>;
}

/** What of `process` is used; a test gives another one. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Whoever is still connected when a service ends is not waited for any longer. */
const exitDeadlineMs = 10_000;

/** SIGTERM drains first. SIGINT stops at once, and so does any second signal. */
export function stopOnSignals(service: StoppableService, logger: Logger, host: SignalledProcess = process): void {
  let phase: 'running' | 'draining' | 'stopping' = 'running';
  const stop = (): void => {
    if (phase === 'stopping') return;
    phase = 'stopping';
    logger.info('stopping');
    setTimeout(() => host.exit(1), exitDeadlineMs).unref();
    exitAfter(service.close());
  };
  const exitAfter = (closed: Promise<void>): void => {
    closed.then(
      () => host.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        host.exit(1);
      },
    );
  };
  host.on('SIGINT', stop);
  host.on('SIGTERM', () => {
    if (phase !== 'running') return stop();
    phase = 'draining';
    logger.info('draining');
    service
      .drain()
      .catch((error: unknown) => logger.error({ err: error }, 'draining failed'))
      .finally(stop);
  });
}
