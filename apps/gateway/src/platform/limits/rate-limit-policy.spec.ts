import { formatPolicy, formatState } from './rate-limit-policy.js';

describe('the headers of a rate limit', () => {
  it('follow draft-ietf-httpapi-ratelimit-headers', () => {
    const policy = { name: 'key-reads' as const, quota: 100, windowSeconds: 60 };
    expect(formatPolicy(policy)).toBe('"key-reads";q=100;w=60');
    expect(formatState(policy, 40, 7)).toBe('"key-reads";r=60;t=7');
    expect(formatState(policy, 140, 7)).toBe('"key-reads";r=0;t=7');
  });
});
