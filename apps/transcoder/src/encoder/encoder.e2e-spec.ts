import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import { describeEncoder, type EncoderUnderTest } from './encoder.contract.js';
import { FakeEncoder, type FakeEncoderRun } from './testing/fake-encoder.js';
import { FfmpegEncoder } from './ffmpeg-encoder.js';
import { bundledFfmpegPath, findFfmpeg, inspectFfmpeg, type Ffmpeg } from './ffmpeg.js';

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
