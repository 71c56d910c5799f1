import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { Storyboards } from './storyboards.js';

describe('a storyboard', () => {
  it('is given up after a minute of waiting or two of work, and its work ends first', async () => {
    const clock = new ManualClock();
    // It reads nothing and never ends.
    const ffmpeg = { path: 'ffmpeg', launcher: ['/bin/sh', '-c', 'exec sleep 300'] } as unknown as Ffmpeg;
    const logger = createLogger({ service: 'transcoder', level: 'silent' });
    const boards = new Storyboards({ ffmpeg, store: {} as RecordingStore, clock, logger });
    const ended: string[] = [];
    const make = (recordingID: string, accountID: string, signal = new AbortController().signal) =>
      boards
        .make({ recordingID, accountID, path: '/missing', durationSeconds: 60 }, signal)
        .then(() => ended.push(recordingID));
    const [first, second] = [make('rec_1', 'acct_1'), make('rec_2', 'acct_2')];
    const deleted = new AbortController();
    const third = make('rec_3', 'acct_1', deleted.signal);
    deleted.abort();
    await third;
    await clock.advance(60_000);
    await second;
    expect(ended).toEqual(['rec_3', 'rec_2']);
    await clock.advance(60_000);
    await first;
    expect(ended).toEqual(['rec_3', 'rec_2', 'rec_1']);
    expect(clock.pending).toBe(0);
  });
});
