import { formatPolicy, formatState, isRead, secondsLeft, windowStart } from './rate-limit-policy.js';

describe('a rate limit', () => {
  it.each([
    [0, 60, 0, 60],
    [59_999, 60, 0, 1],
    [60_000, 60, 60, 60],
    [61_500, 60, 60, 59],
    [1_000, 1, 1, 1],
  ])('at %i ms is in the window of %i s that began at %i and ends in %i s', (now, windowSeconds, start, left) => {
    expect(windowStart(now, windowSeconds)).toBe(start);
    expect(secondsLeft(now, windowSeconds)).toBe(left);
  });

  it('is written as the draft says', () => {
    const policy = { name: 'key-reads' as const, quota: 100, windowSeconds: 60 };
    expect(formatPolicy(policy)).toBe('"key-reads";q=100;w=60');
    expect(formatState(policy, 40, 7)).toBe('"key-reads";r=60;t=7');
    expect(formatState(policy, 140, 7)).toBe('"key-reads";r=0;t=7');
  });

  it('takes everything that may change something for a write', () => {
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'BREW'].filter(isRead)).toEqual(['GET', 'HEAD']);
  });
});
