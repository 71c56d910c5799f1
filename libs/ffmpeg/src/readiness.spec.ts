import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@rtms/testing';
import { readinessOf } from './ffmpeg.js';

describe('readinessOf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-ffmpeg-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('starts FFmpeg again when 15 s are over, and notices that it is gone', async () => {
    const path = join(folder, 'ffmpeg');
    await writeFile(path, `#!/bin/sh\necho started >> ${folder}/starts\n`);
    await chmod(path, 0o755);
    const clock = new ManualClock();
    const isReady = readinessOf(path, clock);
    const count = async () => (await readFile(join(folder, 'starts'), 'utf8')).split('\n').length - 1;

    expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([true, true, true]);
    await clock.advance(14_999);
    expect([await isReady(), await count()]).toEqual([true, 1]);
    await clock.advance(1);
    expect([await isReady(), await count()]).toEqual([true, 2]);
    await rm(path);
    await clock.advance(15_000);
    expect(await isReady()).toBe(false);
  });
});
