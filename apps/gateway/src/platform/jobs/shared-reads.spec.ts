import { ManualClock } from '@rtms/testing';
import { SharedReads } from './shared-reads.js';

describe('SharedReads', () => {
  let clock: ManualClock;
  let reads: SharedReads<number>;
  let begun: string[];
  let ends: { succeed: (value: number) => void; fail: (error: Error) => void }[];

  beforeEach(() => {
    clock = new ManualClock();
    reads = new SharedReads<number>(clock);
    begun = [];
    ends = [];
  });

  const read = (subject: string) =>
    reads.read(subject, () => {
      begun.push(subject);
      return new Promise((succeed, fail) => ends.push({ succeed, fail }));
    });
  const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

  it('shares a read that begins after the calls, never one that runs already', async () => {
    const first = read('a');
    const others = [read('a'), read('a')];
    expect(begun).toEqual(['a']);
    ends[0]?.succeed(1);
    expect(await first).toBe(1);
    await turn();
    expect(begun).toEqual(['a', 'a']);
    const late = read('a');
    ends[1]?.succeed(2);
    expect(await Promise.all(others)).toEqual([2, 2]);
    await turn();
    ends[2]?.succeed(3);
    expect(await late).toBe(3);
  });

  it('reads different subjects at the same time', async () => {
    const both = [read('a'), read('b')];
    expect(begun).toEqual(['a', 'b']);
    ends.forEach(({ succeed }, index) => succeed(index));
    expect(await Promise.all(both)).toEqual([0, 1]);
  });

  it('reads again after a failure', async () => {
    const failing = read('a');
    const next = read('a');
    ends[0]?.fail(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await turn();
    ends[1]?.succeed(1);
    expect(await next).toBe(1);
  });

  it('does not wait long for a read that hangs', async () => {
    void read('a');
    const others = [read('a'), read('a')];
    await clock.advance(49);
    expect(begun).toHaveLength(1);
    await clock.advance(1);
    expect(begun).toHaveLength(2);
    ends[1]?.succeed(2);
    expect(await Promise.all(others)).toEqual([2, 2]);
    ends[0]?.succeed(1);
    await turn();
    expect(clock.pending).toBe(0);
  });

  it('keeps nothing of a read that has ended', async () => {
    const first = read('a');
    ends[0]?.succeed(1);
    await first;
    await turn();
    void read('a');
    expect(begun).toHaveLength(2);
  });
});
