import { leastFreeBytes } from '../../disk.js';
import { bytesLeft, RecordingBudget, roomPerRecording, type RecordingSpace, usageOf } from './recording-budget.js';
import type { RecordingDirectory } from './recording-directory.js';

const disk: RecordingSpace = {
  ...{ maxBytes: 1_000, free: Infinity, finished: 0, unfinished: [], fetched: [], joining: 0, written: 0 },
};

describe('the bytes left for recordings', () => {
  it.each<[string, Partial<RecordingSpace>, number]>([
    ['all bytes without recordings', {}, 1_000],
    ['room to join the largest recording', { unfinished: [100, 300] }, 300],
    ['no bytes of finished recordings', { finished: 400, unfinished: [100] }, 400],
    ['room for all joins that run', { unfinished: [100, 100, 100], joining: 300, written: 50 }, 400],
    ['a recording that is being fetched, twice', { unfinished: [100], fetched: [200] }, 500],
    ['a negative number when a recording cannot be joined', { unfinished: [600] }, -200],
  ])('keep %s', (_case, changes, left) => {
    expect(bytesLeft({ ...disk, ...changes })).toBe(left);
  });

  it.each<[string, Partial<RecordingSpace>, number]>([
    ['the share of the broadcasts', {}, 500],
    ['room to join the largest recording', { unfinished: [100, 300] }, 200],
    ['only the rest of a join that runs', { unfinished: [300], joining: 300, written: 250 }, 450],
    ['only the rest of a composition', { fetched: [100], written: 80 }, 380],
    ['a recording that is being fetched, twice', { fetched: [100] }, 300],
  ])('keep free on the disk %s', (_case, changes, left) => {
    expect(bytesLeft({ ...disk, maxBytes: Infinity, free: leastFreeBytes + 500, ...changes })).toBe(left);
  });
});

describe('the usage of recordings', () => {
  it.each<[string, Partial<RecordingSpace>, { used: number; limit: number }]>([
    ['counts the largest recording twice', { finished: 100, unfinished: [50, 200] }, { used: 550, limit: 1_000 }],
    ['has a lower limit on a full disk', { unfinished: [100], free: leastFreeBytes + 300 }, { used: 200, limit: 400 }],
    ['reaches the limit when no byte is left', { unfinished: [500] }, { used: 1_000, limit: 1_000 }],
  ])('%s', (_case, changes, usage) => {
    expect(usageOf({ ...disk, ...changes })).toEqual(usage);
  });
});

describe('the space for HLS', () => {
  const sized = (bytes: number) => {
    const read = () => Promise.resolve(bytes);
    return { partBytes: read, joinedBytes: () => Promise.resolve(0) } as unknown as RecordingDirectory;
  };

  it('is given only if every recording keeps its space, and until it is released', async () => {
    const [ended, running] = [sized(100), sized(300)];
    const maxBytes = 400 + 300 + 500 + 2 * roomPerRecording;
    const store = { bytesOnDisk: 0 };
    const directories = () => [ended, running];
    const freeBytes = () => Promise.resolve(Infinity);
    const budget = new RecordingBudget({
      maxBytes,
      store,
      directories,
      renders: () => [],
      freeBytes,
      workDirectory: '/work',
    });
    const releaseJoin = await budget.reserveJoin(ended);
    expect(await budget.reserveHls(ended, 501)).toBeUndefined();
    const release = await budget.reserveHls(ended, 500);
    expect(release).toBeDefined();
    expect(await budget.reserveHls(running, 400)).toBeUndefined();
    release?.();
    expect(await budget.reserveHls(running, 400)).toBeDefined();
    releaseJoin();
  });
});
