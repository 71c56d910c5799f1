import type { Clock } from '@rtms/clock';
import type { JetStreamManager } from '@nats-io/jetstream';
import { DeadlineError } from '../port/bus-errors.js';
import { toBusError } from './nats-wire.js';

const retryMs = 500;

export interface RetryOptions {
  clock: Clock;
  /** ms after which no attempt starts. */
  timeoutMs: number;
  /** Whether a retry cannot help; default: never. */
  isFinal?: (error: unknown) => boolean;
}

/** Retries every 500 ms. Throws the last error when it is final or the time is over. */
export async function untilReachable<Reached>(
  attempt: () => Promise<Reached>,
  { clock, timeoutMs, isFinal = () => false }: RetryOptions,
): Promise<Reached> {
  const end = clock.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error) || clock.now() + retryMs > end) throw error;
      await clock.pause(retryMs);
    }
  }
}

/** A server on a busy machine may answer this late. The client waits 5 s for each answer. */
const lateMs = 30_000;

/** Asks a server again that does not answer in time, for 30 s. */
export function untilAnswered<Answer>(ask: () => Promise<Answer>, clock: Clock): Promise<Answer> {
  return untilReachable(ask, { clock, timeoutMs: lateMs, isFinal: error => !isLate(error) });
}

function isLate(error: unknown): boolean {
  return toBusError(error, '') instanceof DeadlineError;
}

/** Longer than the first start of a whole installation. */
const absentMs = 120_000;

/** Waits for streams, and for the streams of buckets, that another service creates. */
export class AwaitedStreams {
  constructor(
    private readonly manager: JetStreamManager,
    private readonly clock: Clock,
    private readonly onWaiting: (stream: string) => void,
  ) {}

  /** Resolves once the stream exists. Throws after `absentMs`, or at once if access is forbidden. */
  async untilThere(name: string): Promise<void> {
    let isReported = false;
    const look = async (): Promise<void> => {
      await this.manager.streams.info(name).catch((error: unknown) => {
        if (isAbsent(error) && !isReported) {
          this.onWaiting(name);
          isReported = true;
        }
        throw error;
      });
    };
    const isFinal = (error: unknown): boolean => !isAbsent(error) && !isLate(error);
    await untilReachable(look, { clock: this.clock, timeoutMs: absentMs, isFinal }).catch((error: unknown) => {
      if (isAbsent(error)) throw new Error(`no gateway has created ${name} on the bus in ${absentMs / 1000} s`);
      throw toBusError(error, name);
    });
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'stream not found';
}
