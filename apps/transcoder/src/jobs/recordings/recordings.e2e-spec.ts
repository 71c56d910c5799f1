/** @weight 0.25 for 61 s */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse as parsePlaylist, type types } from 'hls-parser';
import type { StartRecordingRequest } from '@rtms/contracts';
import type { FeedSource } from '../../../test/fake-sfu.js';
import { PacketSource } from '../../../test/packet-source.js';
import { av1Clip, vp8Clip } from '../../../test/clip.js';
import {
  expectWhole,
  fileOf,
  probeRecording,
  recordingBenches,
  recordingRequest,
  waitForMedia,
  workOf,
} from '../../../test/recording-bench.js';
import { hlsLengthRange, hlsParts, hlsPlaylist } from '../../delivery/stores/hls-file.js';
import { storyboardParts, storyboardText } from '../../delivery/stores/storyboard-file.js';
import { RtpSource } from '../../../test/rtp-source.js';

const openBench = recordingBenches();

async function record(createSource: () => FeedSource, request: StartRecordingRequest = recordingRequest()) {
  const bench = await openBench(createSource);
  await bench.recordings.start(request);
  await waitForMedia(bench, 'part-0.mp4', 3);
  const mediaSeconds = bench.received.seconds;
  await bench.recordings.stop({ recordingID: 'rec_1' });
  const file = await bench.fact('recording.ready');
  return { bench, file, mediaSeconds };
}

describe('a recording', () => {
  it.each([
    ['h264', 'h264', 'Constrained Baseline'],
    ['vp9', 'vp9', 'Profile 0'],
  ] as const)('of %s is copied and not encoded', async (video, codec, profile) => {
    const { bench, file, mediaSeconds } = await record(() => new RtpSource({ video, size: '320x180' }));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toMatchObject({ codec_name: codec, profile, width: 320, height: 180 });
    expect(found.audio).toMatchObject({ codec_name: 'opus', channels: 2 });
    expect(file).toMatchObject({ format: 'mp4', width: 320, height: 180, storage: 'node' });
  });

  it('has a storyboard of its keyframes, which is deleted with it', async () => {
    const { bench, file } = await record(() => new RtpSource({ video: 'h264', size: '320x180' }));
    const stored = await buffer((await bench.storyboardStore.read('rec_1'))!);
    const { vtt, jpeg } = storyboardParts(stored.length);
    const text = String(storyboardText(stored.subarray(vtt.start, vtt.end + 1), 'a.b'));
    const count = Math.ceil(file.durationSeconds / 2);
    expect(text.match(/-->/g)).toHaveLength(count);
    const args = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'json', '-'];
    const { stdout } = spawnSync('ffprobe', args, { input: stored.subarray(jpeg.start) });
    expect((JSON.parse(String(stdout)) as { streams: object[] }).streams).toEqual([
      { codec_name: 'mjpeg', width: count * 160, height: 90 },
    ]);
    await bench.recordings.delete({ recordingID: 'rec_1' });
    expect(await bench.storyboardStore.size('rec_1')).toBeUndefined();
    expect(await bench.hlsStore.size('rec_1')).toBeUndefined();
  });

  it('is also stored as HLS by the setting, which is deleted with it', async () => {
    const createSource = () => new RtpSource({ video: 'h264', size: '320x180' });
    const { bench, file } = await record(createSource, { ...recordingRequest(), addHLS: true });
    const stored = await buffer((await bench.hlsStore.read('rec_1'))!);
    const { start, end } = hlsLengthRange(stored.length);
    const { media, playlist } = hlsParts(stored.length, stored.subarray(start, end + 1));
    const text = String(hlsPlaylist(stored.subarray(playlist.start, playlist.end + 1), 'a.b'));
    const parsed = parsePlaylist(text) as types.MediaPlaylist;
    expect(parsed).toMatchObject({ endlist: true, playlistType: 'VOD' });
    const ranges = parsed.segments.map(({ uri, byterange }) => ({ uri, ...byterange }));
    expect(ranges.at(-1)).toMatchObject({ uri: 'hls.mp4?token=a.b' });
    expect(ranges.reduce((sum, { length }) => sum + length, parsed.segments[0]!.map.byterange!.length)).toBe(
      media.end + 1,
    );
    const seconds = parsed.segments.reduce((sum, { duration }) => sum + duration, 0);
    expect(Math.abs(seconds - file.durationSeconds)).toBeLessThan(0.2);
    const args = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'json', '-'];
    const { stdout } = spawnSync('ffprobe', args, { input: stored.subarray(0, media.end + 1), maxBuffer: 1 << 26 });
    const { streams } = JSON.parse(String(stdout)) as { streams: { codec_name: string }[] };
    expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
    await bench.recordings.delete({ recordingID: 'rec_1' });
    expect(await bench.hlsStore.size('rec_1')).toBeUndefined();
  });

  it('of av1 is copied and not encoded', async () => {
    const clip = av1Clip('320x180');
    const { bench, file, mediaSeconds } = await record(() => new PacketSource({ codec: 'AV1', clip }));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toMatchObject({ codec_name: 'av1', width: 320, height: 180 });
  });

  it('of vp8 is encoded to H264', async () => {
    const { bench, file, mediaSeconds } = await record(() => new RtpSource({ video: 'vp8', size: '320x180' }));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toMatchObject({ codec_name: 'h264', width: 320, height: 180 });
  });

  it('of audio alone has no video track', async () => {
    const clip = vp8Clip('160x90');
    const createSource = () => new AudioOnly({ codec: 'VP8', clip });
    const { bench, file, mediaSeconds } = await record(createSource, recordingRequest(['audio']));
    const found = await expectWhole(bench, file, mediaSeconds);
    expect(found.video).toBeUndefined();
    expect(file.width).toBeUndefined();
    expect(await bench.storyboardStore.size('rec_1')).toBeUndefined();
  });

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
  });

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
  });

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
  });

  describe('of a source above the pixels of its account', () => {
    const below = (size: { width: number; height: number }) => ({
      ...recordingRequest(),
      maxSource: { pixels: size.width * size.height - 1, pixelsPerSecond: 1e9 },
    });

    it('is copied without decoding', async () => {
      const createSource = () => new RtpSource({ video: 'h264', size: '320x180' });
      const { file } = await record(createSource, below({ width: 320, height: 180 }));
      expect(file).toMatchObject({ width: 320, height: 180 });
    });

    it('fails before decoding if its video must be encoded', async () => {
      const bench = await openBench(() => new RtpSource({ video: 'vp8', size: '320x180' }));
      await bench.recordings.start(below({ width: 320, height: 180 }));
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'source_too_large' });
      expect(await bench.fact('recording.failed')).toMatchObject({ reason: 'source_too_large' });
    });

    it('fails if its pixel rate is too high to encode', async () => {
      const bench = await openBench(() => new RtpSource({ video: 'vp8', size: '320x180' }));
      const maxSource = { pixels: 320 * 180, pixelsPerSecond: 320 * 180 * 5 };
      await bench.recordings.start({ ...recordingRequest(), maxSource });
      expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'source_too_large' });
    });

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
    });
  });

  it('ends at its maximum duration', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.recordings.start(recordingRequest(['audio', 'video'], 2));
    expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'max_duration_reached' });
    // On a busy machine more media comes in at once, and until the feed is closed.
    const late = Math.max(0, bench.received.seconds - 2);
    const { durationSeconds } = await bench.fact('recording.ready');
    expect(durationSeconds).toBeGreaterThan(1.5);
    expect(durationSeconds).toBeLessThan(2.5 + late);
  });

  it('leaves no process, port, feed or working file behind', async () => {
    const { bench } = await record(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await bench.ends.atLeast(1);
    expect(bench.recordings.inventory()).toEqual([]);
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(await readdir(join(bench.directory, 'work'))).toEqual([]);
    await bench.recordings.delete({ recordingID: 'rec_1' });
    expect(await readdir(join(bench.directory, 'files'))).toEqual([]);
  });
});

/** Reports only its audio, as an SFU node does when no video is requested. */
class AudioOnly extends PacketSource {
  override get tracks() {
    return super.tracks.filter(track => track.kind === 'audio');
  }
}
