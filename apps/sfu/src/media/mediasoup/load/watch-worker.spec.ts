import { ManualClock } from '@rtms/testing';
import type { types } from 'mediasoup';
import { watchWorker } from './watch-worker.js';

const usage = {} as types.WorkerResourceUsage;

describe('watchWorker', () => {
  let clock: ManualClock;
  let hung: number;
  let isAsleep: boolean;
  beforeEach(() => {
    hung = 0;
    isAsleep = false;
    clock = new ManualClock();
  });

  function watch(getResourceUsage: () => Promise<types.WorkerResourceUsage>): () => void {
    return watchWorker(
      { getResourceUsage },
      clock,
      () => hung++,
      () => isAsleep,
    );
  }

  it('reports once a worker that has not answered for ten seconds', async () => {
    watch(() => new Promise(() => undefined));
    // The first ping comes after 0.5 s.
    await clock.advance(10_499);
    expect(hung).toBe(0);
    await clock.advance(1);
    expect(hung).toBe(1);
    await clock.advance(60_000);
    expect([hung, clock.pending]).toEqual([1, 0]);
  });

  it('reports a sleeping worker that has not answered for 1.5 s', async () => {
    watch(() => new Promise(() => undefined));
    await clock.advance(2_500);
    isAsleep = true;
    await clock.advance(1_500);
    isAsleep = false;
    await clock.advance(500);
    isAsleep = true;
    await clock.advance(1_999);
    expect(hung).toBe(0);
    await clock.advance(1);
    expect(hung).toBe(1);
  });

  it('accepts a late answer and pings the worker again', async () => {
    const answers: ((usage: types.WorkerResourceUsage) => void)[] = [];
    watch(() => new Promise(resolve => answers.push(resolve)));
    for (let round = 1; round <= 5; round++) {
      await clock.advance(9_000);
      expect([hung, answers.length]).toEqual([0, round]);
      answers.at(-1)!(usage);
    }
  });

  it('does not count time in which this process was blocked', async () => {
    const answers: ((usage: types.WorkerResourceUsage) => void)[] = [];
    watch(() => new Promise(resolve => answers.push(resolve)));
    await clock.advance(2_000);
    clock.stall(38_000);
    await clock.advance(0);
    answers[0]!(usage);
    await clock.advance(2_000);
    expect([hung, answers.length]).toEqual([0, 2]);
    await clock.advance(10_000);
    expect(hung).toBe(1);
  });

  it('counts sleep only after a time in which this process was blocked', async () => {
    watch(() => new Promise(() => undefined));
    isAsleep = true;
    await clock.advance(1_000);
    clock.stall(5_000);
    await clock.advance(1_999);
    expect(hung).toBe(0);
    await clock.advance(1);
    expect(hung).toBe(1);
  });

  it('passes the usage on every two seconds', async () => {
    const told: types.WorkerResourceUsage[] = [];
    watchWorker(
      { getResourceUsage: () => Promise.resolve(usage) },
      clock,
      () => hung++,
      () => isAsleep,
      one => told.push(one),
    );
    await clock.advance(4_000);
    expect(told).toEqual([usage, usage]);
  });

  it('ends when the worker or the watch closes', async () => {
    let asked = 0;
    const end = watch(() => {
      asked++;
      return new Promise(() => undefined);
    });
    await clock.advance(3_000);
    end();
    watch(() => Promise.reject(new Error('closed')));
    await clock.advance(60_000);
    expect([hung, asked, clock.pending]).toEqual([0, 1, 0]);
  });
});
