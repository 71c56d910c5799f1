import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedFile } from '@rtms/contracts';
import { EventLog } from '@rtms/testing';
import type { FeedSource } from '../../../test/fake-sfu.js';
import { PacketSource } from '../../../test/packet-source.js';
import { av1Frames, vp8Frames } from '../../../test/prepared-frames.js';
import {
  fileOf,
  openRecordingBench,
  probeFile,
  recordingRequest,
  waitForMedia,
  workOf,
  type RecordingBench,
} from '../../../test/recording-bench.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { leastFreeBytes } from '../../disk.js';
import { readBoxes } from './mp4-file.js';
import { roomPerRecording } from './recording-budget.js';

/** @weight 0.3 for 120 s */

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(bench => bench.close()));
});

async function openBench(createSource: () => FeedSource, isShared = false): Promise<RecordingBench> {
  const bench = await openRecordingBench(createSource, isShared);
  opened.push(bench);
  return bench;
}

async function record(createSource: () => FeedSource, request = recordingRequest()) {
  const bench = await openBench(createSource);
  await bench.recordings.start(request);
  await waitForMedia(bench, 'part-0.mp4', 3);
  const mediaSeconds = bench.received.seconds;
  await bench.recordings.stop({ recordingID: 'rec_1' });
  const file = await bench.fact('recording.ready');
  return { bench, file, mediaSeconds };
}

async function probeRecording(bench: RecordingBench) {
  const path = fileOf(bench);
  const { streams, format } = probeFile(path);
  const handle = await open(path, 'r');
  const boxes = (await readBoxes(handle)).map(box => box.type);
  await handle.close();
  const of = (kind: string) => streams.find(stream => stream['codec_type'] === kind);
  return { video: of('video'), audio: of('audio'), durationSeconds: Number(format['duration']), boxes };
}

async function expectWhole(bench: RecordingBench, file: RecordedFile, mediaSeconds: number) {
  const found = await probeRecording(bench);
  const bytes = await readFile(fileOf(bench));
  expect(file.checksumSha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(file.sizeBytes).toBe(bytes.length);
  // The last picture adds one frame.
  expect(Math.abs(file.durationSeconds - mediaSeconds)).toBeLessThan(0.2);
  expect(Math.abs(file.durationSeconds - found.durationSeconds)).toBeLessThan(0.05);
  expect(found.boxes.indexOf('moov')).toBeLessThan(found.boxes.indexOf('mdat'));
  const starts = [found.video, found.audio].flatMap(stream => (stream ? [Number(stream['start_time'])] : []));
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(0.05);
  return found;
}

describe('a recording', () => {
  it.each([
    ['h264', 'h264', 'Constrained Baseline'],
    ['vp9', 'vp9', 'Profile 0'],
  ] as const)(
    'of %s is copied and not encoded',
    async (video, codec, profile) => {
      const { bench, file, mediaSeconds } = await record(() => new RtpSource({ video, size: '320x180' }));
      const found = await expectWhole(bench, file, mediaSeconds);
      expect(found.video).toMatchObject({ codec_name: codec, profile, width: 320, height: 180 });
      expect(found.audio).toMatchObject({ codec_name: 'opus', channels: 2 });
      expect(file).toMatchObject({ format: 'mp4', width: 320, height: 180, storage: 'node' });
    },
    60_000,
  );

  it('of av1 is copied and not encoded', async () => {
    const frames = av1Frames('320x180');
    const { bench, file, mediaSeconds } = await record(() => new PacketSource({ codec: 'AV1', frames, frameRate: 25 }));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toMatchObject({ codec_name: 'av1', width: 320, height: 180 });
  }, 60_000);

  it('of vp8 is encoded to H264', async () => {
    const { bench, file, mediaSeconds } = await record(() => new RtpSource({ video: 'vp8', size: '320x180' }));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toMatchObject({ codec_name: 'h264', width: 320, height: 180 });
  }, 60_000);

  it('of audio alone has no video track', async () => {
    const frames = vp8Frames('160x90');
    const createSource = () => new AudioOnly({ codec: 'VP8', frames, frameRate: 25 });
    const { bench, file, mediaSeconds } = await record(createSource, recordingRequest(['audio']));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toBeUndefined();
    expect(file.width).toBeUndefined();
  }, 60_000);

  it('is seekable', async () => {
    const { bench } = await record(() => new RtpSource({ video: 'h264', size: '320x180' }));
    const args = ['-v', 'error', '-ss', '1.5', '-i', fileOf(bench), '-frames:v', '1', '-f', 'framecrc', '-'];
    const { stdout, stderr } = spawnSync('ffmpeg', args);
    expect(stderr.toString()).toBe('');
    expect(
      stdout
        .toString()
        .split('\n')
        .filter(line => line.startsWith('0,')),
    ).toHaveLength(1);
  }, 60_000);

  it('continues in a second part when its source returns', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '320x180' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 3);
    await bench.recordings.interrupt({ recordingID: 'rec_1' });
    await bench.fact('recording.interrupted');
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_1', state: 'interrupted' }]);
    await bench.recordings.resume(recordingRequest());
    // The gateway would resume an interrupted recording again, and reopen a working feed.
    expect(bench.recordings.inventory()).not.toEqual([{ recordingID: 'rec_1', state: 'interrupted' }]);
    await waitForMedia(bench, 'part-1.mp4', 3);
    await bench.recordings.resume({ ...recordingRequest(), onlyIf: 'interrupted' });
    expect(await readdir(workOf(bench))).not.toContain('part-2.mp4');
    expect(bench.recordings.inventory()).toEqual([{ recordingID: 'rec_1', state: 'recording' }]);
    await bench.recordings.stop({ recordingID: 'rec_1' });
    const file = await bench.fact('recording.ready');
    expect(file.durationSeconds).toBeGreaterThan(5);
    expect((await probeRecording(bench)).video).toMatchObject({ codec_name: 'h264', profile: 'Constrained Baseline' });
  }, 60_000);

  it('is encoded in the largest size when the size of a copied picture changed', async () => {
    const sizes = ['160x90', '320x180'];
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: sizes.shift()! }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 2);
    await bench.recordings.interrupt({ recordingID: 'rec_1' });
    await bench.recordings.resume(recordingRequest());
    await waitForMedia(bench, 'part-1.mp4', 2);
    await bench.recordings.stop({ recordingID: 'rec_1' });
    expect(await bench.fact('recording.ready')).toMatchObject({ width: 320, height: 180 });
  }, 60_000);

  describe('of a source above the pixels of its account', () => {
    const below = (size: { width: number; height: number }) => ({
      ...recordingRequest(),
      maxSource: { pixels: size.width * size.height - 1, pixelsPerSecond: 1e9 },
    });

    it('is copied without decoding', async () => {
      const createSource = () => new RtpSource({ video: 'h264', size: '320x180' });
      const { file } = await record(createSource, below({ width: 320, height: 180 }));
      expect(file).toMatchObject({ width: 320, height: 180 });
    }, 60_000);

    it('fails before decoding if its video must be encoded', async () => {
      const bench = await openBench(() => new RtpSource({ video: 'vp8', size: '320x180' }));
      await bench.recordings.start(below({ width: 320, height: 180 }));
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'source_too_large' });
      expect(await bench.fact('recording.failed')).toMatchObject({ reason: 'source_too_large' });
    }, 60_000);

    it('fails if its pixel rate is too high to encode', async () => {
      const bench = await openBench(() => new RtpSource({ video: 'vp8', size: '320x180' }));
      const maxSource = { pixels: 320 * 180, pixelsPerSecond: 320 * 180 * 5 };
      await bench.recordings.start({ ...recordingRequest(), maxSource });
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'source_too_large' });
    }, 60_000);

    it('ends before a part whose join would decode it, and keeps the earlier parts', async () => {
      const sizes = ['160x90', '320x180'];
      const bench = await openBench(() => new RtpSource({ video: 'h264', size: sizes.shift()! }));
      const request = below({ width: 320, height: 180 });
      await bench.recordings.start(request);
      await waitForMedia(bench, 'part-0.mp4', 2);
      await bench.recordings.interrupt({ recordingID: 'rec_1' });
      await bench.recordings.resume(request);
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'source_too_large' });
      expect(await bench.fact('recording.ready')).toMatchObject({ width: 160, height: 90 });
    }, 60_000);
  });

  it('ends at its maximum duration', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start(recordingRequest(['audio', 'video'], 2));
    expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'max_duration_reached' });
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(Math.abs(durationSeconds - 2)).toBeLessThan(0.5);
  }, 60_000);

  it('loses at most 2 s when its FFmpeg is killed', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '320x180' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 3);
    process.kill(bench.recordings.recorderPids().get('rec_1')!, 'SIGKILL');
    await waitForMedia(bench, 'part-1.mp4', 3);
    const { seconds } = bench.received;
    await bench.recordings.stop({ recordingID: 'rec_1' });
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(seconds - durationSeconds).toBeLessThan(2);
  }, 60_000);

  it('of an earlier process is finished at the next start', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '320x180' }));
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 3);
    // Without a source, the former service cannot begin another part while its successor reads the files.
    for (const source of bench.sfu.openFeeds.values()) await source.stop();
    const next = bench.open();
    process.kill(bench.recordings.recorderPids().get('rec_1')!, 'SIGKILL');
    await bench.fact('recording.interrupted');
    await next.recover();
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(bench.received.seconds - durationSeconds).toBeLessThan(2);
    await next.close();
  }, 60_000);

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
  }, 60_000);

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
  }, 60_000);

  it('is refused on a nearly full disk', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    bench.space.freeBytes = leastFreeBytes + roomPerRecording - 1;
    await expect(bench.recordings.start(recordingRequest())).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([bench.recordings.isIdle, bench.sfu.openFeeds.size]).toEqual([true, 0]);
    bench.space.freeBytes = leastFreeBytes + roomPerRecording;
    await bench.recordings.start(recordingRequest());
    await bench.fact('recording.active');
  }, 60_000);

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
  }, 60_000);

  describe('with shared pieces', () => {
    const openShared = () => openBench(() => new RtpSource({ video: 'h264', size: '320x180' }), true);
    /** The source stops after some pieces were stored. Then the former node writes nothing more. */
    const recordSome = async (bench: RecordingBench) => {
      await bench.recordings.start(recordingRequest());
      await waitForMedia(bench, 'part-0.mp4', 6);
      for (const source of bench.sfu.openFeeds.values()) await source.stop();
    };
    const piecesOf = async (bench: RecordingBench) => (await bench.pieces!.list('rec_1')).map(({ name }) => name);

    it('is completed by another node, with at most 10 s missing', async () => {
      const bench = await openShared();
      await recordSome(bench);
      const { seconds } = bench.received;
      const other = bench.open('other');
      await other.complete({ recordingID: 'rec_1' });
      await other.complete({ recordingID: 'rec_1' });
      const file = await bench.fact('recording.ready');
      expect(file).toMatchObject({ storage: 'shared', width: 320, height: 180 });
      expect(file.durationSeconds).toBeGreaterThan(1);
      expect(seconds - file.durationSeconds).toBeLessThan(10);
      await bench.ends.atLeast(1);
      expect(await piecesOf(bench)).toEqual(['claim.json']);
      expect(await readdir(join(bench.directory, 'other'))).toEqual([]);
      await other.close();
    }, 60_000);

    it('is not stored again by its former node', async () => {
      const bench = await openShared();
      await recordSome(bench);
      const other = bench.open('other');
      await other.complete({ recordingID: 'rec_1' });
      const { checksumSha256 } = await bench.fact('recording.ready');
      await bench.ends.atLeast(1);
      await bench.recordings.stop({ recordingID: 'rec_1' });
      await bench.ends.atLeast(2);
      const bytes = await readFile(fileOf(bench));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksumSha256);
      expect(bench.recordings.isIdle).toBe(true);
      await other.close();
    }, 60_000);

    it('is reported as stored when its former node had begun to store its own file', async () => {
      const bench = await openShared();
      await recordSome(bench);
      const put = bench.store.put.bind(bench.store);
      const puts = new EventLog<() => void>();
      bench.store.put = async (...args) => {
        await new Promise<void>(resolve => puts.add(resolve));
        return put(...args);
      };
      await bench.recordings.stop({ recordingID: 'rec_1' });
      const [storeLate] = await puts.atLeast(1);
      const other = bench.open('other');
      await other.complete({ recordingID: 'rec_1' });
      const [, store] = await puts.atLeast(2);
      store!();
      const file = await bench.fact('recording.ready');
      storeLate!();
      await bench.ends.atLeast(2);
      const reported = bench.facts.all.filter(({ type }) => type === 'recording.ready');
      expect(reported).toEqual([file, file]);
      const bytes = await readFile(fileOf(bench));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.checksumSha256);
      await other.close();
    }, 60_000);

    it('leaves no pieces after its own node has stored the file', async () => {
      const bench = await openShared();
      await recordSome(bench);
      await bench.recordings.stop({ recordingID: 'rec_1' });
      await bench.fact('recording.ready');
      await bench.ends.atLeast(1);
      expect(await piecesOf(bench)).toEqual([]);
    }, 60_000);

    it('is left to others by a node that closes, with all its media', async () => {
      const bench = await openShared();
      await recordSome(bench);
      const { seconds } = bench.received;
      await bench.recordings.close();
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'node_drained' });
      const other = bench.open('other');
      await other.complete({ recordingID: 'rec_1' });
      const file = await bench.fact('recording.ready');
      expect(seconds - file.durationSeconds).toBeLessThan(0.2);
      await other.close();
    }, 60_000);

    it('is refused without pieces, and on a nearly full disk', async () => {
      const bench = await openShared();
      const complete = (recordingID: string) => bench.recordings.complete({ recordingID });
      await expect(complete('rec_unknown')).rejects.toMatchObject({ reason: 'not_found' });
      await recordSome(bench);
      const other = bench.open('other');
      bench.space.freeBytes = leastFreeBytes;
      await expect(other.complete({ recordingID: 'rec_1' })).rejects.toMatchObject({ reason: 'capacity_reached' });
      expect([other.isIdle, await piecesOf(bench)]).toEqual([true, expect.not.arrayContaining(['claim.json'])]);
      await other.close();
    }, 60_000);

    it('is deleted with its pieces', async () => {
      const bench = await openShared();
      await recordSome(bench);
      await bench.recordings.delete({ recordingID: 'rec_1' });
      expect(await piecesOf(bench)).toEqual([]);
      expect(await bench.store.size('rec_1')).toBeUndefined();
    }, 60_000);
  });

  it('is refused as another node’s without shared pieces', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await expect(bench.recordings.complete({ recordingID: 'rec_2' })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('leaves no process, port, feed or working file behind', async () => {
    const { bench } = await record(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.ends.atLeast(1);
    expect(bench.recordings.inventory()).toEqual([]);
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(await readdir(join(bench.directory, 'work'))).toEqual([]);
    await bench.recordings.delete({ recordingID: 'rec_1' });
    expect(await readdir(join(bench.directory, 'files'))).toEqual([]);
  }, 60_000);
});

/** Reports only its audio, as an SFU node does when no video is requested. */
class AudioOnly extends PacketSource {
  override get tracks() {
    return super.tracks.filter(track => track.kind === 'audio');
  }
}
