import type { JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { EventLog, ManualClock } from '@rtms/testing';
import { AwaitedStreams, untilAnswered, untilReachable } from './until-reachable.js';

describe('untilReachable', () => {
  const start = (options: { fails: number; isFinal?: (error: unknown) => boolean }) => {
    const clock = new ManualClock(0);
    const attempts: number[] = [];
    const attempt = async (): Promise<string> => {
      attempts.push(clock.now());
      if (attempts.length <= options.fails) throw new Error(`failure ${attempts.length}`);
      return 'reached';
    };
    const ends = new EventLog<string>();
    untilReachable(attempt, { clock, timeoutMs: 1_600, ...(options.isFinal && { isFinal: options.isFinal }) }).then(
      ends.add,
      (error: unknown) => ends.add((error as Error).message),
    );
    return { clock, attempts, ends };
  };

  it('retries every half second until an attempt succeeds', async () => {
    const { clock, attempts, ends } = start({ fails: 2 });
    await clock.advance(999);
    expect(attempts).toEqual([0, 500]);
    await clock.advance(1);
    expect(attempts).toEqual([0, 500, 1_000]);
    expect(ends.all).toEqual(['reached']);
  });

  it('throws the last error after the timeout', async () => {
    const { clock, attempts, ends } = start({ fails: Infinity });
    await clock.advance(1_499);
    expect(ends.all).toEqual([]);
    await clock.advance(1);
    expect(attempts).toEqual([0, 500, 1_000, 1_500]);
    expect(ends.all).toEqual(['failure 4']);
    expect(clock.pending).toBe(0);
  });

  it('throws a final error at once', async () => {
    const { clock, attempts, ends } = start({ fails: 3, isFinal: error => (error as Error).message === 'failure 2' });
    await clock.advance(500);
    expect(ends.all).toEqual(['failure 2']);
    expect(attempts).toEqual([0, 500]);
  });
});

describe('a server that answers late', () => {
  /** Fails with these errors, one after the other, then answers. */
  const failing = (...failures: Error[]) => {
    const left = [...failures];
    return async () => {
      const failure = left.shift();
      if (failure) throw failure;
      return 'answer';
    };
  };

  it('is asked again', async () => {
    const clock = new ManualClock();
    const answered = untilAnswered(failing(new errors.TimeoutError(), new errors.TimeoutError()), clock);
    await clock.advance(1_000);
    await expect(answered).resolves.toBe('answer');
  });

  it('is not asked again after a refusal', async () => {
    await expect(untilAnswered(failing(new Error('refused')), new ManualClock())).rejects.toThrow('refused');
  });

  it('is asked again for a stream that another service creates', async () => {
    const clock = new ManualClock();
    const info = failing(new errors.TimeoutError(), new Error('stream not found'), new errors.TimeoutError());
    const manager = { streams: { info } } as unknown as JetStreamManager;
    const waiting: string[] = [];
    const there = new AwaitedStreams(manager, clock, stream => waiting.push(stream)).untilThere('FACTS');
    await clock.advance(1_500);
    await expect(there).resolves.toBeUndefined();
    expect(waiting).toEqual(['FACTS']);
  });
});
