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

/** A recording of so many bytes, of which so many are joined. */
function sized(bytes: number, joined = 0): RecordingDirectory {
  const sizes = {
    path: '/work/rec',
    partBytes: () => Promise.resolve(bytes),
    joinedBytes: () => Promise.resolve(joined),
  };
  return { ...sizes, writtenBytes: () => Promise.resolve(joined) } as unknown as RecordingDirectory;
}

interface Contents {
  maxBytes: number;
  running?: RecordingDirectory[];
  renders?: RecordingDirectory[];
  finished?: number;
  free?: number;
}

function budgetOf({ maxBytes, running = [], renders = [], finished = 0, free = Infinity }: Contents): RecordingBudget {
  return new RecordingBudget({
    ...{ maxBytes, workDirectory: '/work', store: { bytesOnDisk: finished } },
    ...{ directories: () => running, renders: () => renders },
    freeBytes: directory => Promise.resolve(directory === '/work' ? free : 0),
  });
}

const full = { reason: 'capacity_reached', message: 'The disk of the transcoder is full. Try again later.' };

describe('the space for running recordings', () => {
  it('is enough up to the last byte', async () => {
    const budget = budgetOf({ maxBytes: 2 * roomPerRecording + 700, running: [sized(100), sized(300)] });
    expect([await budget.isEnoughFor(2), await budget.isEnoughFor(3)]).toEqual([true, false]);
    await budget.requireFor(2);
    await expect(budget.requireFor(3)).rejects.toMatchObject(full);
    const short = budgetOf({ maxBytes: 2 * roomPerRecording + 699, running: [sized(100), sized(300)] });
    expect(await short.isEnoughFor(2)).toBe(false);
  });
});

describe('the space for recordings of other nodes', () => {
  it('is reserved twice each, until it is released', async () => {
    const budget = budgetOf({ maxBytes: 1_000, finished: 100 });
    const release = await budget.reserveFetch(300);
    expect(await budget.usage()).toEqual({ used: 700, limit: 1_000 });
    await expect(budget.reserveFetch(301)).rejects.toMatchObject(full);
    const other = await budget.reserveFetch(300);
    await expect(budget.reserveFetch(1)).rejects.toMatchObject(full);
    release();
    release();
    other();
    expect(await budget.usage()).toEqual({ used: 100, limit: 1_000 });
  });

  it('counts what compositions have written to the disk only once', async () => {
    const free = leastFreeBytes + 500;
    const budget = budgetOf({ maxBytes: Infinity, free, renders: [sized(0, 80)] });
    await budget.reserveFetch(100);
    expect((await budget.usage()).limit - (await budget.usage()).used).toBe(500 + 80 - 200);
    const beyond = budgetOf({ maxBytes: Infinity, free, renders: [sized(0, 180)] });
    await beyond.reserveFetch(100);
    expect((await beyond.usage()).limit - (await beyond.usage()).used).toBe(500 + 100 - 200);
  });
});

describe('the space for joined files', () => {
  it('is given while it fits, and again after its release', async () => {
    const [one, other] = [sized(300, 50), sized(300)];
    const budget = budgetOf({ maxBytes: 1_000, running: [one, other] });
    const release = await budget.reserveJoin(one);
    await expect(budget.reserveJoin(other)).rejects.toMatchObject({ code: 'ENOSPC' });
    release();
    const again = await budget.reserveJoin(other);
    await expect(budget.reserveJoin(one)).rejects.toMatchObject({ code: 'ENOSPC' });
    again();
    const roomy = budgetOf({ maxBytes: 1_200, running: [one, other] });
    await roomy.reserveJoin(one);
    expect(await roomy.reserveJoin(other)).toBeDefined();
  });

  it('needs no byte that is on the disk already', async () => {
    const [one, other] = [sized(300, 250), sized(100)];
    const budget = budgetOf({ maxBytes: Infinity, free: leastFreeBytes + 300, running: [one, other] });
    await budget.reserveJoin(one);
    expect((await budget.usage()).limit - (await budget.usage()).used).toBe(300 + 250 - 300);
  });
});

describe('the space for HLS', () => {
  it('is given only if every recording keeps its space, and until it is released', async () => {
    const [ended, running] = [sized(100), sized(300)];
    const budget = budgetOf({ maxBytes: 400 + 300 + 500 + 2 * roomPerRecording, running: [ended, running] });
    const releaseJoin = await budget.reserveJoin(ended);
    expect(await budget.reserveHls(ended, 501)).toBeUndefined();
    const release = await budget.reserveHls(ended, 500);
    expect(release).toBeDefined();
    expect(await budget.reserveHls(running, 400)).toBeUndefined();
    release?.();
    expect(await budget.reserveHls(running, 400)).toBeDefined();
    releaseJoin();
  });

  it('is added to that of the joined file', async () => {
    const ended = sized(300);
    const budget = budgetOf({ maxBytes: 900 + roomPerRecording, running: [ended] });
    await budget.reserveJoin(ended);
    const release = await budget.reserveHls(ended, 300);
    expect(await budget.usage()).toEqual({ used: 900, limit: 900 + roomPerRecording });
    release?.();
    expect(await budget.usage()).toEqual({ used: 600, limit: 900 + roomPerRecording });
  });
});
