import { parseUsage, processUsage } from './process-usage.js';

const stat = '77 (a (b) c) S 1 77 77 0 -1 4194560 100 0 0 0 250 50 7 8 20 0 1 0 100 1000 25 184467 1 1';

describe('what a process uses', () => {
  it('is read behind the name, whatever that is', () => {
    expect(parseUsage(stat, 'Name:\ta\nVmRSS:\t    2048 kB\nThreads:\t1\n')).toEqual({
      cpuSeconds: 3,
      residentBytes: 2048 * 1024,
    });
  });

  it('is not known of a process that has ended meanwhile', async () => {
    expect(parseUsage('', '')).toBeUndefined();
    expect(parseUsage(stat, 'State:\tZ (zombie)\n')).toBeUndefined();
    expect(await processUsage(2 ** 30)).toBeUndefined();
  });

  it('is known of this one', async () => {
    expect((await processUsage(process.pid))?.residentBytes).toBeGreaterThan(2 ** 20);
  });
});
