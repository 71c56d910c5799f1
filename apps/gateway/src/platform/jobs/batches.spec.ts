import { QueryFailedError } from 'typeorm';
import { Batches } from './batches.js';

describe('Batches', () => {
  let handled: number[][];
  let letGo: (() => void)[];
  let broken: Error | undefined;

  beforeEach(() => {
    handled = [];
    letGo = [];
    broken = undefined;
  });

  const makeBatches = ({ size = 100, atOnce = 1, waits = false } = {}): Batches<number> =>
    new Batches<number>({
      size,
      atOnce,
      handle: async items => {
        handled.push([...items]);
        if (waits) await new Promise<void>(resolve => letGo.push(resolve));
        if (broken && items.includes(3)) throw broken;
      },
    });
  const lockTimeout = () => new QueryFailedError('INSERT', [], Object.assign(new Error('lock'), { code: '55P03' }));
  const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

  it('puts items that arrive during a batch into the next batch', async () => {
    const batches = makeBatches({ waits: true });
    const first = batches.add(1);
    await turn();
    const others = [2, 3, 4].map(item => batches.add(item));
    await turn();
    expect(handled).toEqual([[1]]);
    letGo.shift()?.();
    await first;
    await turn();
    letGo.shift()?.();
    await Promise.all(others);
    expect(handled).toEqual([[1], [2, 3, 4]]);
  });

  it('keeps the limits of items in a batch and of batches at once', async () => {
    const batches = makeBatches({ size: 2, atOnce: 2, waits: true });
    const all = [1, 2, 3, 4, 5].map(item => batches.add(item));
    await turn();
    expect(handled).toEqual([
      [1, 2],
      [3, 4],
    ]);
    letGo.splice(0).forEach(resolve => resolve());
    await turn();
    letGo.splice(0).forEach(resolve => resolve());
    await Promise.all(all);
    expect(handled.at(-1)).toEqual([5]);
  });

  it('fails a bad item alone', async () => {
    broken = new TypeError('cannot read properties of undefined');
    const batches = makeBatches();
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(item => batches.add(item)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('tries each item alone after one has waited too long for a lock', async () => {
    broken = lockTimeout();
    const batches = makeBatches();
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(item => batches.add(item)));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true]);
    expect(handled).toEqual([[1, 2, 3, 4, 5], [1], [2], [3], [4], [5]]);
  });

  it('gives up a batch after two items alone have waited too long for a lock', async () => {
    broken = lockTimeout();
    const batches = makeBatches();
    const results = await Promise.allSettled([1, 3, 2, 3, 4, 5].map(item => batches.add(item)));
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, false, false]);
  });

  it('gives up the rest of such a batch when the database becomes unavailable', async () => {
    const batches = new Batches<number>({
      ...{ size: 10, atOnce: 1 },
      handle: items => {
        handled.push([...items]);
        return Promise.reject(items.length > 1 ? lockTimeout() : new Error('Query read timeout'));
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map(item => batches.add(item)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(handled).toEqual([[1, 2, 3], [1]]);
  });

  it('fails all items of a batch when the database is unavailable', async () => {
    broken = new Error('timeout exceeded when trying to connect');
    const batches = makeBatches();
    const results = await Promise.allSettled([1, 2, 3].map(item => batches.add(item)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(handled).toHaveLength(1);
  });
});
