import { jest } from '@jest/globals';
import { systemClock } from '@rtms/clock';
import { ManualClock } from './manual-clock.js';

describe('ManualClock', () => {
  it('runs a timer at its time and not a millisecond before', async () => {
    const clock = new ManualClock();
    const action = jest.fn();
    clock.after(5_000, action);
    await clock.advance(4_999);
    expect(action).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(action).toHaveBeenCalledTimes(1);
    expect(clock.pending).toBe(0);
  });

  it('runs timers in the order of their times, also those that other timers start', async () => {
    const clock = new ManualClock(0);
    const seen: string[] = [];
    clock.after(30, () => seen.push(`third at ${clock.now()}`));
    clock.after(10, () => {
      seen.push(`first at ${clock.now()}`);
      clock.after(10, () => seen.push(`second at ${clock.now()}`));
    });
    await clock.advance(100);
    expect(seen).toEqual(['first at 10', 'second at 20', 'third at 30']);
    expect(clock.now()).toBe(100);
  });

  it('repeats until it is cancelled, also from its own action', async () => {
    const clock = new ManualClock();
    let count = 0;
    const timer = clock.every(1_000, () => {
      count += 1;
      if (count === 3) timer.cancel();
    });
    await clock.advance(10_000);
    expect(count).toBe(3);
    expect(clock.pending).toBe(0);
  });

  it('does not go back when an action stalls beyond the end', async () => {
    const clock = new ManualClock(0);
    clock.after(10, () => clock.stall(50));
    await clock.advance(20);
    expect(clock.now()).toBe(60);
  });

  it('lets pending code start its timer before the time moves', async () => {
    const clock = new ManualClock(0);
    const seen: number[] = [];
    const work = async (): Promise<void> => {
      await Promise.resolve();
      await clock.pause(10);
      seen.push(clock.now());
    };
    void work();
    await clock.advance(10);
    expect(seen).toEqual([10]);
  });

  it('lets code continue between two moments', async () => {
    const clock = new ManualClock(0);
    const seen: number[] = [];
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn++) {
        await clock.pause(10);
        seen.push(clock.now());
      }
    };
    void work();
    await clock.advance(30);
    expect(seen).toEqual([10, 20, 30]);
  });

  it('does not move while a party is busy, also what another party gave it', async () => {
    const clock = new ManualClock(0);
    const steps: string[] = [];
    let inHand = 0;
    clock.join(async () => {
      const had = inHand > 0;
      for (; inHand > 0; inHand -= 1) steps.push(`one at ${clock.now()}`);
      return had;
    });
    let isAsked = false;
    const leave = clock.join(async () => {
      const had = isAsked;
      if (had) steps.push(`other at ${clock.now()}`);
      if (had) inHand += 1;
      isAsked = false;
      return had;
    });
    clock.after(10, () => (isAsked = true));
    await clock.advance(20);
    expect(steps).toEqual(['other at 10', 'one at 10']);
    leave();
    isAsked = true;
    await clock.settled();
    expect(steps).toHaveLength(2);
  });
});

describe.each([
  ['the system clock', () => systemClock],
  ['the manual clock', () => new ManualClock()],
])('a pause of %s', (_name, makeClock) => {
  it('ends as soon as its signal aborts, and leaves no listener', async () => {
    const stop = new AbortController();
    const removed = jest.spyOn(stop.signal, 'removeEventListener');
    const pause = makeClock().pause(60_000, stop.signal);
    stop.abort();
    await expect(pause).resolves.toBeUndefined();
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('ends at once if its signal is already aborted', async () => {
    await expect(makeClock().pause(60_000, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
