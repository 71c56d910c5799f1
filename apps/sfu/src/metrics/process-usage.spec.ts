import { parseUsage, processUsage } from './process-usage.js';

const stat = '77 (a (b) c) S 1 77 77 0 -1 4194560 100 0 0 0 250 50 7 8 20 0 1 0 100 1000 25 184467 1 1';

describe('the usage of a process', () => {
  it('is read after the name, whatever the name contains', () => {
    expect(parseUsage(stat, 'Name:\ta\nVmRSS:\t    2048 kB\nThreads:\t1\n')).toEqual({
      cpuSeconds: 3,
      residentBytes: 2048 * 1024,
    });
  });

  it('is undefined for a process that has ended', async () => {
    expect(parseUsage('', '')).toBeUndefined();
    expect(parseUsage(stat, 'State:\tZ (zombie)\n')).toBeUndefined();
    expect(await processUsage(2 ** 30)).toBeUndefined();
  });

  it('is known for this process', async () => {
    expect((await processUsage(process.pid))?.residentBytes).toBeGreaterThan(2 ** 20);
  });
});
