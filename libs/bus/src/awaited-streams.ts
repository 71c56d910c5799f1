import type { Clock } from '@rtms/clock';
import type { JetStreamManager } from '@nats-io/jetstream';
import { toBusError } from './to-bus-error.js';
import { untilReachable } from './until-reachable.js';

/** Longer than a first start of the whole installation takes. */
const absentMs = 120_000;

/** Streams, and the streams below buckets, that another service makes. */
export class AwaitedStreams {
  constructor(
    private readonly manager: JetStreamManager,
    private readonly clock: Clock,
    private readonly onWaiting: (stream: string) => void,
  ) {}

  /** Resolves once the stream exists. Throws when it is missing for too long, and at once when access is forbidden. */
  async untilThere(name: string): Promise<void> {
    let isReported = false;
    const look = async (): Promise<void> => {
      await this.manager.streams.info(name).catch((error: unknown) => {
        if (isAbsent(error) && !isReported) this.onWaiting(name);
        isReported = true;
        throw error;
      });
    };
    const isFinal = (error: unknown): boolean => !isAbsent(error);
    await untilReachable(look, { clock: this.clock, timeoutMs: absentMs, isFinal }).catch((error: unknown) => {
      if (isAbsent(error)) throw new Error(`no gateway has made ${name} on the bus in ${absentMs / 1000} s`);
      throw toBusError(error, name);
    });
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'stream not found';
}
