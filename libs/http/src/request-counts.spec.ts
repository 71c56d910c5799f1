import { ManualClock } from '@rtms/testing';
import { ServiceError } from '@rtms/contracts';
import type { NextFunction, Request, Response } from 'express';
import { isRead, RequestCounts, secondsLeft, windowStart, type Addition, AddressCounts } from './request-counts.js';

/** Simulates the database of several replicas. */
class Truth {
  readonly counts = new Map<string, number>();
  statements = 0;
  isAway = false;

  readonly add = async (additions: readonly Addition[]): Promise<Addition[]> => {
    this.statements += 1;
    if (this.isAway) throw new Error('away');
    return additions.map(({ subject, windowStart, count }) => {
      const name = `${subject}@${windowStart}`;
      this.counts.set(name, (this.counts.get(name) ?? 0) + count);
      return { subject, windowStart, count: this.counts.get(name)! };
    });
  };
}

describe('shared counts', () => {
  const flushMs = 200;
  const opened: RequestCounts[] = [];
  const failures: unknown[] = [];
  let clock: ManualClock;
  const replica = (truth: Pick<Truth, 'add'>) => {
    const counts = new RequestCounts(clock, {
      add: truth.add,
      pauseMs: flushMs,
      onFailure: error => failures.push(error),
    });
    opened.push(counts);
    return counts;
  };
  const takeMany = (counts: RequestCounts, times: number, quota = 10, window = 0) =>
    Array.from({ length: times }, () => counts.take('a', window, quota));

  /** The store answers once it is opened. */
  const slowly = (truth: Truth) => {
    let open = (): void => undefined;
    const opened = new Promise<void>(resolve => (open = resolve));
    const add = (additions: readonly Addition[]) => opened.then(() => truth.add(additions));
    return { slow: { add }, open: () => open() };
  };

  beforeEach(() => {
    clock = new ManualClock();
    failures.length = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(each => each.close()));
  });

  it('stop at the quota', () => {
    expect(takeMany(replica(new Truth()), 5, 3)).toEqual([1, 2, 3, false, false]);
  });

  it('start no timer without sharing', () => {
    expect(takeMany(new RequestCounts(clock), 5, 3)).toEqual([1, 2, 3, false, false]);
    expect(clock.pending).toBe(0);
  });

  it('leave no timer when they are closed', async () => {
    const counts = replica(new Truth());
    takeMany(counts, 1);
    expect(clock.pending).toBe(1);
    await counts.close();
    expect(clock.pending).toBe(0);
  });

  it('restart in each window', () => {
    const counts = replica(new Truth());
    takeMany(counts, 5, 3);
    expect(counts.take('a', 60, 3)).toBe(1);
    expect(counts.take('b', 0, 3)).toBe(1);
  });

  it('include the counts of other replicas', async () => {
    const truth = new Truth();
    const [one, other] = [replica(truth), replica(truth)];
    takeMany(one, 8);
    await clock.advance(flushMs - 1);
    expect(truth.counts.get('a@0')).toBeUndefined();
    await clock.advance(1);
    expect(truth.counts.get('a@0')).toBe(8);
    expect(other.take('a', 0, 10)).toBe(1);
    await clock.advance(flushMs);
    expect(takeMany(other, 2)).toEqual([10, false]);
    await clock.advance(flushMs);
    expect(truth.counts.get('a@0')).toBe(10);
  });

  it('are flushed in one statement', async () => {
    const truth = new Truth();
    const counts = replica(truth);
    for (let index = 0; index < 1_000; index += 1) counts.take(`subject-${index % 50}`, 0, 100);
    await clock.advance(flushMs);
    expect(truth.statements).toBe(1);
    expect([...truth.counts.values()]).toEqual(Array.from({ length: 50 }, () => 20));
  });

  it('include requests that are on their way to the store, and send later ones after them', async () => {
    const truth = new Truth();
    const { slow, open } = slowly(truth);
    const counts = replica(slow);
    takeMany(counts, 4);
    await clock.advance(flushMs);
    expect(takeMany(counts, 3, 6)).toEqual([5, 6, false]);
    expect(clock.pending).toBe(0);
    open();
    await clock.advance(0);
    expect(truth.counts.get('a@0')).toBe(4);
    await clock.advance(flushMs);
    expect(truth.counts.get('a@0')).toBe(6);
    expect(truth.statements).toBe(2);
    expect(clock.pending).toBe(0);
  });

  it('start no timer after a flush that ends when they are closed', async () => {
    const { slow, open } = slowly(new Truth());
    const counts = replica(slow);
    takeMany(counts, 1);
    await clock.advance(flushMs);
    takeMany(counts, 1);
    const closed = counts.close();
    open();
    await closed;
    expect(clock.pending).toBe(0);
  });

  it('continue locally while the store is unavailable', async () => {
    const truth = Object.assign(new Truth(), { isAway: true });
    const counts = replica(truth);
    takeMany(counts, 7);
    await clock.advance(flushMs);
    expect(failures).toHaveLength(1);
    expect(takeMany(counts, 5)).toEqual([8, 9, 10, false, false]);
  });
});

describe('a window', () => {
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
});

describe('isRead', () => {
  it('treats all other methods as writes', () => {
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'BREW'].filter(isRead)).toEqual(['GET', 'HEAD']);
  });
});

const limits = { windowSeconds: 60, addressReads: 3, addressWrites: 2 };

function start(own = limits) {
  const clock = new ManualClock();
  const headers: Record<string, unknown> = {};
  const response = { setHeader: (name: string, value: unknown) => void (headers[name] = value) } as unknown as Response;
  const limit = new AddressCounts(own, clock).middleware();
  const ask = (method: string, ip: string): unknown => {
    let result: unknown;
    const next: NextFunction = (error?: unknown) => (result = error ?? 'taken');
    void limit({ method, ip } as Request, response, next);
    return result instanceof ServiceError ? result.reason : result;
  };
  return { clock, headers, ask };
}

describe('the limit of a client address', () => {
  it('refuses requests above it with Retry-After until the window ends', async () => {
    const { clock, headers, ask } = start();
    expect([ask('POST', '192.0.2.1'), ask('DELETE', '192.0.2.1')]).toEqual(['taken', 'taken']);
    await clock.advance(20_500);
    expect(ask('PATCH', '192.0.2.1')).toBe('rate_limited');
    expect(headers).toEqual({ 'Retry-After': '40' });
    await clock.advance(39_500);
    expect(ask('POST', '192.0.2.1')).toBe('taken');
  });

  it('counts reads, writes and clients separately', () => {
    const { ask } = start();
    const reads = ['GET', 'HEAD', 'OPTIONS', 'GET'].map(method => ask(method, '192.0.2.1'));
    expect(reads).toEqual(['taken', 'taken', 'taken', 'rate_limited']);
    expect(ask('POST', '192.0.2.1')).toBe('taken');
    expect(ask('GET', '192.0.2.2')).toBe('taken');
  });

  it('counts a /64 of IPv6 as one client', () => {
    const { ask } = start();
    const asked = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(ip => ask('POST', ip));
    expect(asked).toEqual(['taken', 'taken', 'rate_limited']);
  });

  it('is off at 0', () => {
    const { ask } = start({ windowSeconds: 60, addressReads: 0, addressWrites: 0 });
    expect(Array.from({ length: 50 }, () => ask('POST', '192.0.2.1')).every(each => each === 'taken')).toBe(true);
  });
});
