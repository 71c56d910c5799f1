import { publicKeysOf, signingKeyOf } from './signing-key.entity.js';

const now = new Date('2026-11-21T10:00:00.000Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const makeKey = (kid: string, ageMs: number, retiredMsAgo?: number) => ({
  kid,
  createdAt: before(ageMs),
  retiredAt: retiredMsAgo === undefined ? null : before(retiredMsAgo),
});

const hourMs = 3_600_000;

describe('signingKeyOf', () => {
  it('returns undefined without keys', () => {
    expect(signingKeyOf([], now)).toBeUndefined();
  });

  it('uses the very first key at once', () => {
    expect(signingKeyOf([makeKey('first', 0)], now)?.kid).toBe('first');
  });

  it('uses the former key for five seconds, until every verifier knows the new key', () => {
    const keys = [makeKey('new', 4_999), makeKey('old', 90_000, 4_999)];
    expect(signingKeyOf(keys, now)?.kid).toBe('old');
  });

  it('uses the new key after that', () => {
    const keys = [makeKey('old', 90_000, 5_000), makeKey('new', 5_000)];
    expect(signingKeyOf(keys, now)?.kid).toBe('new');
  });

  it('uses the older of two keys that are both too new', () => {
    expect(signingKeyOf([makeKey('newer', 1), makeKey('new', 2)], now)?.kid).toBe('new');
  });
});

describe('publicKeysOf', () => {
  it('keeps a retired key public for 25 hours, while its signatures may be valid', () => {
    const keys = [makeKey('gone', 50 * hourMs, 25 * hourMs), makeKey('kept', 50 * hourMs, 25 * hourMs - 1)];
    expect(publicKeysOf([...keys, makeKey('current', 1)], now).map(key => key.kid)).toEqual(['kept', 'current']);
  });
});
