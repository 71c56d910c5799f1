import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskSegmentStore } from './disk-segment-store.js';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { describeSegmentStore } from './segment-store.contract.js';

describe('the segment store on disk', () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'rtms-store-')), 'segments');
  });
  afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));

  describeSegmentStore(() => DiskSegmentStore.open(directory));

  it('reads segments that exceed its cache from the disk', async () => {
    const store = await DiskSegmentStore.open(directory, 4);
    await store.put('b1', '720p/1.m4s', Buffer.from('a long one'));
    await store.put('b1', '720p/2.m4s', Buffer.from('two'));
    expect(String(await store.get('b1', '720p/1.m4s'))).toBe('a long one');
    expect(String(await readFile(join(directory, 'b1/720p/2.m4s')))).toBe('two');
    await store.close();
  });

  it('leaves no files after a failed write', async () => {
    const store = await DiskSegmentStore.open(directory);
    await mkdir(join(directory, 'b1/720p/1.m4s'), { recursive: true });
    await expect(store.put('b1', '720p/1.m4s', Buffer.from('one'))).rejects.toThrow('EISDIR');
    expect(await readdir(directory)).toEqual(['b1']);
    await store.close();
  });

  it('empties its directory when it opens and when it closes', async () => {
    const earlier = await DiskSegmentStore.open(directory);
    await earlier.put('b1', '720p/1.m4s', Buffer.from('one'));
    await writeFile(join(directory, 'half.part'), 'half');
    const store = await DiskSegmentStore.open(directory);
    expect(await readdir(directory)).toEqual([]);
    expect(await store.get('b1', '720p/1.m4s')).toBeUndefined();
    await store.close();
    expect(existsSync(directory)).toBe(false);
  });
});

describe('the segment store in memory', () => {
  describeSegmentStore(() => Promise.resolve(new MemorySegmentStore()));
});
