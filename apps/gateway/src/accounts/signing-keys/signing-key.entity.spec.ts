import { activationDelayMs, overlapMs, publicKeysOf, signingKeyOf } from './signing-key.entity.js';

const now = new Date('2026-11-21T10:00:00.000Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const makeKey = (kid: string, ageMs: number, retiredMsAgo?: number) => ({
  kid,
  createdAt: before(ageMs),
  retiredAt: retiredMsAgo === undefined ? null : before(retiredMsAgo),
});

describe('signingKeyOf', () => {
  it('returns undefined without keys', () => {
    expect(signingKeyOf([], now)).toBeUndefined();
  });

  it('uses the very first key at once', () => {
    expect(signingKeyOf([makeKey('first', 0)], now)?.kid).toBe('first');
  });

  it('uses the former key until every verifier knows the new key', () => {
    const keys = [makeKey('new', activationDelayMs - 1), makeKey('old', 90_000, activationDelayMs - 1)];
    expect(signingKeyOf(keys, now)?.kid).toBe('old');
  });

  it('uses the new key after that', () => {
    const keys = [makeKey('old', 90_000, activationDelayMs), makeKey('new', activationDelayMs)];
    expect(signingKeyOf(keys, now)?.kid).toBe('new');
  });

  it('uses the older of two keys that are both too new', () => {
    expect(signingKeyOf([makeKey('newer', 1), makeKey('new', 2)], now)?.kid).toBe('new');
  });
});

describe('publicKeysOf', () => {
  it('keeps a retired key public while its signatures may be valid', () => {
    const keys = [makeKey('gone', overlapMs * 2, overlapMs), makeKey('kept', overlapMs * 2, overlapMs - 1)];
    expect(publicKeysOf([...keys, makeKey('current', 1)], now).map(key => key.kid)).toEqual(['kept', 'current']);
  });
});
