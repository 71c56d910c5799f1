import { decideNext, judgeFailures, readRetryAfter, retryDelayMs } from './delivery-decisions.js';

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-11-21T10:00:00.000Z');
const middle = 0.5;

describe('the wait after a failed attempt', () => {
  it.each([
    [1, 5],
    [2, 15],
    [3, 45],
    [4, 135],
    [5, 405],
    [6, 1_215],
    [7, 3_600],
    [1_000, 3_600],
  ])('is after attempt %i, without variation, %i s', (attempt, seconds) => {
    expect(retryDelayMs(attempt, null, middle)).toBe(seconds * secondMs);
  });

  it('varies by a tenth', () => {
    expect([0, 1].map(random => retryDelayMs(1, null, random))).toEqual([4_500, 5_500]);
  });

  it.each([
    ['a longer wait', 60 * secondMs, 60 * secondMs],
    ['no shorter wait', 0, 5 * secondMs],
    ['at most an hour', 5 * hourMs, hourMs],
  ])('respects Retry-After: %s', (_, asked, wait) => {
    expect(retryDelayMs(1, asked, middle)).toBe(wait);
  });
});

describe('Retry-After', () => {
  it.each<[string | undefined, number | null]>([
    [undefined, null],
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    [' Sat, 21 Nov 2026 10:00:30 GMT ', 30_000],
    ['soon', null],
    ['-5', null],
    ['3000', 3_000_000],
    ['3000-01-01', null],
    ['5 s', null],
    ['99999999999', null],
  ])('%s is a wait of %s ms', (value, expected) => {
    expect(readRetryAfter(value, start)).toBe(expected);
  });
});

describe('a delivery', () => {
  const tried = { cause: 'event' as const, claim: 3, triedSince: new Date(start) };
  const answer = (status: number | null) => ({ status, retryAfterMs: null });

  it.each([200, 201, 204, 299])('is delivered by %i', status => {
    expect(decideNext(tried, answer(status), start, middle)).toEqual({ state: 'delivered', nextAt: null });
  });

  it.each([null, 100, 300, 301, 307, 400, 404, 429, 500])('is tried again after %s', status => {
    const next = { state: 'pending', nextAt: new Date(start + 45 * secondMs) };
    expect(decideNext(tried, answer(status), start, middle)).toEqual(next);
  });

  it('is given up when the next attempt would be later than a day after the first', () => {
    const last = start + dayMs - 45 * secondMs;
    expect(decideNext(tried, answer(500), last, middle).state).toBe('pending');
    expect(decideNext(tried, answer(500), last + 1, middle)).toEqual({ state: 'failed', nextAt: null });
  });

  it('has fewer than 40 attempts', () => {
    let attempts = 0;
    let now = start;
    for (let next: Date | null = new Date(now); next; now = next?.getTime() ?? now) {
      attempts += 1;
      next = decideNext({ ...tried, claim: attempts }, answer(500), now, 0).nextAt;
    }
    expect(attempts).toBeGreaterThan(25);
    expect(attempts).toBeLessThan(40);
  });

  it('is given up at once as a test, and at 410', () => {
    expect(decideNext({ ...tried, cause: 'test' }, answer(500), start, middle).state).toBe('failed');
    expect(decideNext(tried, answer(410), start, middle).state).toBe('failed');
  });
});

describe('a webhook', () => {
  const none = { failingSince: null, lastFailureAt: null };
  const outcomes = (...statuses: (number | null)[]) =>
    statuses.map(status => ({ status, retryAfterMs: null, cause: 'event' as const }));
  const since = (failing: number, last: number) => ({
    failingSince: new Date(start + failing),
    lastFailureAt: new Date(start + last),
  });

  it('begins to fail at its first failure', () => {
    expect(judgeFailures(none, outcomes(500), start)).toEqual({ ...since(0, 0), disable: null });
  });

  it('stops failing at a success, also beside failures', () => {
    expect(judgeFailures(since(0, 0), outcomes(500, 204), start + 1)).toEqual({ ...none, disable: null });
  });

  it('is disabled after three days of failures only', () => {
    const now = start + 3 * dayMs;
    const former = since(0, 3 * dayMs - hourMs);
    expect(judgeFailures(former, outcomes(null), now - 1).disable).toBe(null);
    expect(judgeFailures(former, outcomes(null), now).disable).toBe('failing');
  });

  it('is not disabled by two failures with days of silence between them', () => {
    const now = start + 5 * dayMs;
    expect(judgeFailures(since(0, 0), outcomes(500), now)).toEqual({ ...since(5 * dayMs, 5 * dayMs), disable: null });
  });

  it('fails on after a day without an attempt, and anew after a longer time', () => {
    const next = (wait: number) => judgeFailures(since(0, dayMs), outcomes(500), start + dayMs + wait).failingSince;
    expect(next(dayMs)).toEqual(new Date(start));
    expect(next(dayMs + 1)).toEqual(new Date(start + 2 * dayMs + 1));
  });

  it('is disabled at 410', () => {
    expect(judgeFailures(none, outcomes(410), start).disable).toBe('gone');
    expect(judgeFailures(none, outcomes(200, 410), start).disable).toBe('gone');
  });

  it('is not judged by tests', () => {
    const test = [{ status: 410, retryAfterMs: null, cause: 'test' as const }];
    expect(judgeFailures(since(0, 0), test, start + 9 * dayMs)).toEqual({ ...since(0, 0), disable: null });
  });
});
