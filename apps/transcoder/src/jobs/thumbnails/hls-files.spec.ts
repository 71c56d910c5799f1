import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { HlsFiles } from './hls-files.js';

function openHls(script: string) {
  const clock = new ManualClock();
  const ffmpeg = { path: 'ffmpeg', launcher: ['/bin/sh', '-c', script] } as unknown as Ffmpeg;
  const logger = createLogger({ service: 'transcoder', level: 'silent' });
  const hls = new HlsFiles({ ffmpeg, store: {} as RecordingStore, clock, logger });
  const { signal } = new AbortController();
  const make = (recordingID: string, accountID: string, given = signal) =>
    hls.make({ recordingID, accountID, path: '/missing/file', durationSeconds: 60 }, given);
  return { clock, make };
}

/** FFmpeg that writes nothing and never ends. */
const endless = 'exec sleep 300';

describe('HLS of recordings', () => {
  it('is given up after two minutes of waiting or ten of work', async () => {
    const { clock, make } = openHls(endless);
    const made = ['rec_1', 'rec_2'].map(recordingID => make(recordingID, 'acct_1'));
    const ended: string[] = [];
    void made[0]!.then(() => ended.push('rec_1'));
    await clock.advance(120_000);
    expect(await made[1]).toBe(false);
    expect(ended).toEqual([]);
    await clock.advance(480_000);
    expect(await made[0]).toBe(false);
  });

  it('of one account does not wait for that of another', async () => {
    const { clock, make } = openHls(endless);
    const busy = ['rec_1', 'rec_2', 'rec_3'].map(recordingID => make(recordingID, 'acct_1'));
    const other = make('rec_4', 'acct_2');
    const ended: string[] = [];
    void other.then(() => ended.push('rec_4'));
    await clock.advance(120_000);
    expect(await Promise.all(busy.slice(1))).toEqual([false, false]);
    // It works, so it did not wait.
    expect(ended).toEqual([]);
    await clock.advance(480_000);
    expect([await busy[0], await other]).toEqual([false, false]);
  });

  it('ends with the work on its recording', async () => {
    const { make } = openHls(endless);
    const abort = new AbortController();
    const made = ['rec_1', 'rec_2'].map(recordingID => make(recordingID, 'acct_1', abort.signal));
    abort.abort();
    expect(await Promise.all([...made, make('rec_3', 'acct_1', abort.signal)])).toEqual([false, false, false]);
  });
});
