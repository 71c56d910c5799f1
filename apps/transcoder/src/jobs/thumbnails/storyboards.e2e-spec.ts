/** @weight 1 for 2 s */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { storyboardParts } from '../../delivery/stores/storyboard-file.js';
import { Storyboards } from './storyboards.js';

describe('a storyboard', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-storyboard-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([0.1, 2.9])('of one keyframe in %s s has its picture', async durationSeconds => {
    const path = join(folder, 'rec_1.mp4');
    const picture = ['-f', 'lavfi', '-i', `testsrc=duration=${durationSeconds}:rate=30:size=320x180`];
    const ffmpeg = await findFfmpeg();
    const { stderr } = spawnSync(ffmpeg.path, ['-v', 'error', ...picture, '-c:v', 'libx264', '-g', '300', path]);
    expect(String(stderr)).toBe('');
    const stored: Buffer[] = [];
    const put = async (_recordingID: string, made: string) => stored.push(await readFile(made));
    const store = { put } as unknown as RecordingStore;
    const logger = createLogger({ service: 'transcoder', level: 'silent' });
    const storyboards = new Storyboards({ ffmpeg, store, clock: new ManualClock(), logger });
    const recording = { recordingID: 'rec_1', accountID: 'acct_1', path, durationSeconds };
    await storyboards.make(recording, new AbortController().signal);
    const sizes = stored.map(({ length }) => storyboardParts(length).jpeg);
    expect(sizes).toHaveLength(1);
    expect(sizes[0]!.end).toBeGreaterThan(sizes[0]!.start);
  });
});
