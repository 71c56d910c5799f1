import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { Storyboards } from './storyboards.js';

describe('a storyboard', () => {
  it('keeps no recording for longer than two minutes, even behind another one', async () => {
    const clock = new ManualClock();
    // It reads nothing and never ends.
    const ffmpeg = { path: 'ffmpeg', launcher: ['/bin/sh', '-c', 'exec sleep 300'] } as unknown as Ffmpeg;
    const logger = createLogger({ service: 'transcoder', level: 'silent' });
    const boards = new Storyboards({ ffmpeg, store: {} as RecordingStore, clock, logger });
    const { signal } = new AbortController();
    const made = ['rec_1', 'rec_2'].map(recordingID => boards.make(recordingID, '/missing', 60, signal));
    await clock.advance(120_000);
    await expect(Promise.all(made)).resolves.toHaveLength(2);
  });
});
