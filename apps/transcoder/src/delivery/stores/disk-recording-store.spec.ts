import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import { DiskRecordingStore } from './disk-recording-store.js';
import { describeRecordingStore } from './recording-store.contract.js';

describe('DiskRecordingStore', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-store-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  describeRecordingStore(() => DiskRecordingStore.open(directory));

  it('has its own names with another extension', async () => {
    await writeFile(join(directory, 'source'), 'pictures');
    const store = await DiskRecordingStore.open(join(directory, 'files'), 'node', systemClock, 'storyboard');
    await store.put('rec_1', join(directory, 'source'));
    expect(await readdir(join(directory, 'files'))).toEqual(['rec_1.storyboard']);
  });

  it('keeps the source file after a failure, so that a retry succeeds', async () => {
    const path = join(directory, 'joined.tmp');
    await writeFile(path, 'whole');
    const store = await DiskRecordingStore.open(join(directory, 'files'));
    await rm(join(directory, 'files'), { recursive: true });
    await expect(store.put('rec_1', path)).rejects.toThrow('ENOENT');
    await mkdir(join(directory, 'files'));
    await store.put('rec_1', path);
    expect(await readFile(join(directory, 'files', 'rec_1.mp4'), 'utf8')).toBe('whole');
    expect(await readdir(directory)).toEqual(['files']);
  });

  it('deletes incomplete files of an earlier process at start', async () => {
    await writeFile(join(directory, 'half.new'), 'x');
    await writeFile(join(directory, 'rec_1.mp4'), 'whole');
    const store = await DiskRecordingStore.open(directory);
    expect(await readdir(directory)).toEqual(['rec_1.mp4']);
    expect(await store.size('rec_1')).toBe(5);
  });
});
