import type { Clock } from '@rtms/clock';
import type { Logger } from '@rtms/logging';

export interface StoppableService {
  /** Waits for running work to end. Resolves when the work has ended or the time is over. */
  drain(): Promise<void>;
  /** Stops at once. */
  close(): Promise<void>;
}

/** The used part of `process`. A test passes its own. */
export interface SignalledProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

/** A service that has not closed after this time exits with code 1. */
const exitDeadlineMs = 10_000;

/** SIGTERM drains first. SIGINT and any second signal stop at once. */
export function stopOnSignals(
  service: StoppableService,
  logger: Logger,
  clock: Clock,
  host: SignalledProcess = process,
): void {
  let phase: 'running' | 'draining' | 'stopping' = 'running';
  const stop = (): void => {
    if (phase === 'stopping') return;
    phase = 'stopping';
    logger.info('stopping');
    clock.after(exitDeadlineMs, () => host.exit(1));
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
