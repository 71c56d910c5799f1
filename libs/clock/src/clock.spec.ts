import { type Clock, lateTicks } from './index.js';

describe('lateTicks', () => {
  it('reports the first tick after a stall as late, and no tick that is on time', () => {
    let now = 0;
    const isLate = lateTicks({ now: () => now } as Clock, 500);
    const tickAfter = (milliseconds: number): boolean => {
      now += milliseconds;
      return isLate();
    };
    expect([500, 500, 1_400, 500].map(tickAfter)).toEqual([false, false, false, false]);
    expect([38_000, 500, 2_000, 500].map(tickAfter)).toEqual([true, false, true, false]);
  });
});
