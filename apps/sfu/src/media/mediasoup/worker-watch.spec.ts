import { jest } from '@jest/globals';
import type { types } from 'mediasoup';
import { watchWorker } from './worker-watch.js';

const usage = {} as types.WorkerResourceUsage;

describe('watchWorker', () => {
  let hung: number;
  beforeEach(() => {
    hung = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function watch(getResourceUsage: () => Promise<types.WorkerResourceUsage>): () => void {
    return watchWorker({ getResourceUsage }, () => hung++);
  }

  it('tells once of a worker that does not answer for ten seconds', async () => {
    watch(() => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(11_000);
    expect(hung).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(hung).toBe(1);
  });

  it('has patience with one that answers late, and asks it again', async () => {
    const answers: ((usage: types.WorkerResourceUsage) => void)[] = [];
    watch(() => new Promise(resolve => answers.push(resolve)));
    for (let round = 1; round <= 5; round++) {
      await jest.advanceTimersByTimeAsync(9_000);
      expect([hung, answers.length]).toEqual([0, round]);
      answers.at(-1)!(usage);
    }
  });

  it('is over when the worker has been closed, or the watch', async () => {
    let asked = 0;
    const end = watch(() => {
      asked++;
      return new Promise(() => undefined);
    });
    await jest.advanceTimersByTimeAsync(3_000);
    end();
    watch(() => Promise.reject(new Error('closed')));
    await jest.advanceTimersByTimeAsync(60_000);
    expect([hung, asked]).toEqual([0, 1]);
  });
});
