import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import { EventLog } from '@rtms/testing';
import { describeEncoder, type EncoderUnderTest } from './encoder.contract.js';
import { FakeEncoder, type FakeEncoderRun } from './testing/fake-encoder.js';
import { FfmpegEncoder } from './ffmpeg-encoder.js';
import { bundledFfmpegPath, findFfmpeg, inspectFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';

/** @weight 0.5 */

async function ffmpegUnderTest(ffmpeg: Ffmpeg): Promise<EncoderUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-encoder-'));
  return {
    encoder: new FfmpegEncoder(ffmpeg, directory, systemClock),
    crash: run => process.kill(run.pid!, 'SIGKILL'),
    leftovers: () => readdir(directory),
  };
}

describeEncoder('FakeEncoder', () => {
  const crash: EncoderUnderTest['crash'] = run => (run as FakeEncoderRun).die();
  return Promise.resolve({ encoder: new FakeEncoder(), crash, leftovers: () => Promise.resolve([]) });
});

describeEncoder("FfmpegEncoder with the system's FFmpeg", async () => ffmpegUnderTest(await findFfmpeg()));

describeEncoder('FfmpegEncoder with the FFmpeg from npm', async () =>
  ffmpegUnderTest(await inspectFfmpeg(await bundledFfmpegPath())),
);

describe('the slate of FfmpegEncoder', () => {
  it('has the length of a segment in every rendition', async () => {
    const { encoder, leftovers } = await ffmpegUnderTest(await findFfmpeg());
    const segments = new EventLog<[rendition: string, seconds: number]>();
    const video = [
      { name: 'v1', width: 1280, height: 720, bitrate: 2_500_000 },
      { name: 'v2', width: 640, height: 360, bitrate: 800_000 },
    ];
    const plan = { broadcastID: 'bcast_1', segmentSeconds: 1, frameRate: { numerator: 5, denominator: 1 }, video };
    const run = await encoder.start(
      { ...plan, hasAudio: true, input: 'slate' },
      {
        onInit: () => undefined,
        onSegment: (name, { durationSeconds }) => segments.add([name, durationSeconds]),
        onExit: () => undefined,
      },
    );
    await segments.atLeast(6, { timeoutMs: 60_000 });
    await run.close();
    expect(new Set(segments.all.map(([name]) => name))).toEqual(new Set(['v1', 'v2', 'audio']));
    for (const [, seconds] of segments.all) expect(seconds).toBeCloseTo(1, 1);
    expect(await leftovers()).toEqual([]);
  });
});
