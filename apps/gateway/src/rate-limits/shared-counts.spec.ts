import { waitFor } from '@rtms/testing';
import { SharedCounts, type Addition } from './shared-counts.js';

/** What a database would do, for several replicas. */
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
  const opened: SharedCounts[] = [];
  const failures: unknown[] = [];
  const replica = (truth: Truth) => {
    const counts = new SharedCounts(truth.add, 5, error => failures.push(error));
    opened.push(counts);
    return counts;
  };
  const takeMany = (counts: SharedCounts, times: number, quota = 10, window = 0) =>
    Array.from({ length: times }, () => counts.take('a', window, quota));

  afterEach(async () => {
    failures.length = 0;
    await Promise.all(opened.splice(0).map(each => each.close()));
  });

  it('end at the quota, and count nothing beyond', () => {
    expect(takeMany(replica(new Truth()), 5, 3)).toEqual([1, 2, 3, false, false]);
  });

  it('begin anew with each window', () => {
    const counts = replica(new Truth());
    takeMany(counts, 5, 3);
    expect(counts.take('a', 60, 3)).toBe(1);
    expect(counts.take('b', 0, 3)).toBe(1);
  });

  it('know what other replicas counted', async () => {
    const truth = new Truth();
    const [one, other] = [replica(truth), replica(truth)];
    takeMany(one, 8);
    await waitFor(() => truth.counts.get('a@0') === 8, { what: 'the first count to be shared' });
    expect(other.take('a', 0, 10)).toBe(1);
    await waitFor(() => truth.counts.get('a@0') === 9, { what: 'the second count to be shared' });
    await waitFor(() => other.take('a', 0, 10) === false, { what: 'the quota to be used up' });
    expect(truth.counts.get('a@0')).toBeLessThanOrEqual(11);
  });

  it('are told in one statement, however many there are', async () => {
    const truth = new Truth();
    const counts = replica(truth);
    for (let index = 0; index < 1_000; index += 1) counts.take(`subject-${index % 50}`, 0, 100);
    await waitFor(() => truth.counts.size === 50, { what: 'the counts to be shared' });
    expect(truth.statements).toBe(1);
    expect([...truth.counts.values()]).toEqual(Array.from({ length: 50 }, () => 20));
  });

  it('go on alone while the others cannot be reached', async () => {
    const truth = Object.assign(new Truth(), { isAway: true });
    const counts = replica(truth);
    takeMany(counts, 7);
    await waitFor(() => failures.length > 0, { what: 'the failure to be reported' });
    expect(takeMany(counts, 5)).toEqual([8, 9, 10, false, false]);
  });
});
