import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskPieceStore } from './disk-piece-store.js';
import { describePieceStore } from './piece-store.contract.js';

describe('DiskPieceStore', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-pieces-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  describePieceStore(() => Promise.resolve(new DiskPieceStore(join(directory, 'unfinished'))));

  it('leaves no folder of a removed recording', async () => {
    const store = new DiskPieceStore(directory);
    await store.put('rec_1', 'a', Buffer.from('a'));
    await store.remove('rec_1');
    expect(await readdir(directory)).toEqual([]);
  });
});
