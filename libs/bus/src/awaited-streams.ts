import type { JetStreamManager } from '@nats-io/jetstream';
import { toBusError } from './to-bus-error.js';
import { untilReachable } from './until-reachable.js';

/** Longer than a first start of the whole installation takes. */
const absentMs = 120_000;

/** Streams, and the streams below buckets, that another service makes. */
export class AwaitedStreams {
  constructor(
    private readonly manager: JetStreamManager,
    private readonly onWaiting: (stream: string) => void,
  ) {}

  /** Throws once it has not been made for long; what is forbidden is not waited for. */
  async untilThere(name: string): Promise<void> {
    let isReported = false;
    const look = async (): Promise<void> => {
      await this.manager.streams.info(name).catch((error: unknown) => {
        if (isAbsent(error) && !isReported) this.onWaiting(name);
        isReported = true;
        throw error;
      });
    };
    await untilReachable(look, absentMs, error => !isAbsent(error)).catch((error: unknown) => {
      if (isAbsent(error)) throw new Error(`no gateway has made ${name} on the bus in ${absentMs / 1000} s`);
      throw toBusError(error, name);
    });
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && error.message === 'stream not found';
}
