/** @weight 0.2 for 41 s */
import { rm } from 'node:fs/promises';
import { waitFor } from '@rtms/testing';
import {
  expectWhole,
  fragmentsOf,
  recordingBenches,
  recordingRequest,
  waitForMedia,
  workOf,
} from '../../../test/recording-bench.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { leastFreeBytes } from '../../disk.js';
import { roomPerRecording } from './recording-budget.js';

const openBench = recordingBenches();

describe('a recording that loses its process, its files or its disk', () => {
  it('loses at most 2 s when its FFmpeg is killed', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '320x180' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 3);
    const killed = bench.recordings.recorderPids().get('rec_1')!;
    // A fragment lasts a second. On a busy machine FFmpeg is further behind.
    const written = await fragmentsOf(bench, 'part-0.mp4');
    const before = bench.received.seconds;
    const behind = Math.max(0, before - written - 1);
    process.kill(killed, 'SIGKILL');
    const isBack = () => ![killed, undefined].includes(bench.recordings.recorderPids().get('rec_1'));
    await waitFor(isBack, { what: 'another FFmpeg' });
    // A busy machine takes long to start it.
    const meanwhile = bench.received.seconds - before;
    await waitForMedia(bench, 'part-1.mp4', 3);
    const { seconds } = bench.received;
    await bench.recordings.stop({ recordingID: 'rec_1' });
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(seconds - durationSeconds).toBeLessThan(2 + meanwhile + behind);
  });

  it('of an earlier process is finished at the next start', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '320x180' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 3);
    // Without a source, the former service cannot begin another part while its successor reads the files.
    for (const source of bench.sfu.openFeeds.values()) await source.stop();
    const next = bench.open();
    const { seconds, secondsOfAll } = bench.received;
    // On a busy machine FFmpeg is behind.
    await waitForMedia(bench, 'part-0.mp4', Math.floor(secondsOfAll - 0.2));
    process.kill(bench.recordings.recorderPids().get('rec_1')!, 'SIGKILL');
    await bench.fact('recording.interrupted');
    await next.recover();
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(secondsOfAll - durationSeconds).toBeLessThan(2);
    expect(durationSeconds).toBeLessThan(seconds + 0.2);
    await next.close();
  });

  it('ends, reports its end and fails when its files have been deleted', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 1);
    await rm(workOf(bench), { recursive: true });
    await bench.recordings.stop({ recordingID: 'rec_1' });
    expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'requested' });
    expect(await bench.fact('recording.failed')).toMatchObject({ reason: 'nothing_recorded' });
    await bench.ends.atLeast(1);
    expect(bench.recordings.isIdle).toBe(true);
  });

  it('waits for space on a full disk and keeps its media', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 2);
    const joins: (() => Error | undefined)[] = [
      () => Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }),
      () => undefined,
    ];
    const join = bench.recorder.join.bind(bench.recorder);
    bench.recorder.join = async (task, signal) => {
      const error = joins.shift()?.();
      if (error) throw error;
      await join(task, signal);
    };
    // Too little, because the parts need space as well.
    bench.space.freeBytes = leastFreeBytes;
    const looks = bench.checkedSpace.length;
    const mediaSeconds = bench.received.seconds;
    await bench.recordings.stop({ recordingID: 'rec_1' });
    await bench.fact('recording.stopped');
    await bench.checkedSpace.atLeast(looks + 2);
    expect(joins).toHaveLength(2);
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_1', state: 'processing' }]);
    bench.space.freeBytes = Infinity;
    const file = await bench.fact('recording.ready');
    expect(joins).toEqual([]);
    await expectWhole(bench, file, mediaSeconds);
  });

  it('is refused on a nearly full disk', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    bench.space.freeBytes = leastFreeBytes + roomPerRecording - 1;
    await expect(bench.recordings.start(recordingRequest())).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([bench.recordings.isIdle, bench.sfu.openFeeds.size]).toEqual([true, 0]);
    bench.space.freeBytes = leastFreeBytes + roomPerRecording;
    await bench.recordings.start(recordingRequest());
    await bench.fact('recording.active');
  });

  it('ends as the newest when the disk is nearly full, and the older one goes on', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start({ ...recordingRequest(), recordingID: 'rec_old' });
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 2);
    bench.space.freeBytes = leastFreeBytes + 2 * roomPerRecording - 1;
    expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'recorder_failed' });
    await bench.fact('recording.ready');
    await bench.ends.atLeast(1);
    const looks = bench.checkedSpace.length;
    await bench.checkedSpace.atLeast(looks + 2);
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_old', state: 'recording' }]);
  });

  it('goes on when the disk is nearly full, and the newest composition of files is given up', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start(recordingRequest());
    await bench.fact('recording.active');
    bench.store.copyTo = (_recordingID, _path, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    await bench.recordings.render({
      ...{ recordingID: 'rec_new', meetingID: 'room_1', accountID: 'acc_1', tracks: ['video', 'audio'] },
      composition: {
        ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
        backgroundColor: '#202020',
      },
      sources: [
        {
          ...{ recordingID: 'rec_two', sourceID: 'ext_2', name: '', isHost: false, sizeBytes: 1 },
          spans: [{ startedAt: '2026-11-26T09:00:00.000Z', seconds: 600 }],
        },
      ],
    });
    bench.space.freeBytes = leastFreeBytes + 4 * roomPerRecording;
    expect(await bench.fact('recording.failed')).toMatchObject({ reason: 'recorder_failed' });
    await bench.ends.atLeast(1);
    const looks = bench.checkedSpace.length;
    await bench.checkedSpace.atLeast(looks + 2);
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_1', state: 'recording' }]);
  });
});
