/** @weight 0.55 for 21 s */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog, ManualClock } from '@rtms/testing';
import { describeEncoder, matroskaStream, plan as contractPlan, type EncoderUnderTest } from '../encoder.contract.js';
import { picturesOf, probe, systemFfmpeg } from '../../../test/broadcast-bench.js';
import { partSecondsOf, partTargetOf } from '../../delivery/presentation/playlists/parts.js';
import { samplesOf, toneIn } from '../../../test/composed-file.js';
import type { Still } from '../encoder.js';
import { FakeEncoder, type FakeEncoderRun } from '../testing/fake-encoder.js';
import { FfmpegEncoder } from './ffmpeg-encoder.js';
import { bundledFfmpegPath, inspectFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';

const folder = await mkdtemp(join(tmpdir(), 'rtms-encoder-'));
afterAll(() => rm(folder, { recursive: true }));

async function ffmpegUnderTest(ffmpeg: Ffmpeg): Promise<EncoderUnderTest> {
  const directory = await mkdtemp(join(folder, 'work-'));
  return {
    // The clock stands still: on a busy machine FFmpeg may need longer to finish than the encoder waits.
    encoder: new FfmpegEncoder(ffmpeg, directory, new ManualClock()),
    crash: run => process.kill(run.pid!, 'SIGKILL'),
    leftovers: () => readdir(directory),
  };
}

describeEncoder('FakeEncoder', () => {
  const crash: EncoderUnderTest['crash'] = run => (run as FakeEncoderRun).die();
  return Promise.resolve({ encoder: new FakeEncoder(), crash, leftovers: () => Promise.resolve([]) });
});

describeEncoder("FfmpegEncoder with the system's FFmpeg", async () => ffmpegUnderTest(await systemFfmpeg()));

describeEncoder('FfmpegEncoder with the FFmpeg from npm', async () =>
  ffmpegUnderTest(await inspectFfmpeg(await bundledFfmpegPath())),
);

interface Output {
  name: string;
  bytes: Buffer;
  durationSeconds: number;
  /** Of a part. */
  isIndependent?: boolean;
}

describe('the parts of FfmpegEncoder', () => {
  it.each([
    { version: 'from the system', find: systemFfmpeg },
    { version: 'from npm', find: async () => inspectFfmpeg(await bundledFfmpegPath()) },
  ])('arrive while their segment grows, and make up the whole segment, with the FFmpeg $version', async ({ find }) => {
    const { encoder, leftovers } = await ffmpegUnderTest(await find());
    const outputs = new EventLog<Output>();
    const exits = new EventLog<unknown>();
    const partSeconds = partSecondsOf(contractPlan.segmentSeconds);
    const run = await encoder.start(
      { ...contractPlan, partSeconds },
      {
        onInit: (name, bytes) => outputs.add({ name: `${name} init`, bytes, durationSeconds: 0 }),
        onPart: (name, part) => outputs.add({ name: `${name} part`, ...part }),
        onSegment: (name, segment) => outputs.add({ name, ...segment }),
        onExit: exit => exits.add(exit),
      },
    );
    const blocks = matroskaStream();
    const names = ['180p', '90p', 'audio'];
    // Each frame has three blocks: of the first second, its first 0.8 s.
    const begun = blocks.slice(0, 60);
    for (const block of begun) run.write(block);
    for (const name of names) await outputs.find(each => each.name === `${name} part`);
    expect(outputs.all.filter(({ name }) => names.includes(name))).toEqual([]);
    for (const block of blocks.slice(begun.length)) run.write(block);
    for (const name of names) await outputs.find(each => each.name === name);
    await run.finish();
    for (const name of names) {
      const own = outputs.all.filter(each => each.name.split(' ')[0] === name);
      expect(own[0]?.name).toBe(`${name} init`);
      let parts: Output[] = [];
      const durations: number[] = [];
      for (const each of own.slice(1)) {
        if (each.name !== name) {
          parts.push(each);
          continue;
        }
        expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(each.bytes)).toBe(true);
        expect(parts.reduce((sum, part) => sum + part.durationSeconds, 0)).toBeCloseTo(each.durationSeconds, 2);
        for (const part of parts) expect(part.durationSeconds).toBeLessThanOrEqual(partTargetOf(1));
        expect(parts.map(({ isIndependent }) => isIndependent)).toEqual(
          parts.map((_, index) => name === 'audio' || index === 0),
        );
        durations.push(each.durationSeconds);
        parts = [];
      }
      expect(parts).toEqual([]);
      expect(durations.length).toBeGreaterThanOrEqual(2);
      expect(durations[0]).toBeCloseTo(1, 1);
    }
    expect(exits.all).toEqual([expect.objectContaining({ expected: true })]);
    expect(await leftovers()).toEqual([]);
  });
});

const slateVideo = [
  { name: 'v1', width: 1280, height: 720, bitrate: 2_500_000 },
  { name: 'v2', width: 640, height: 360, bitrate: 800_000 },
];

/** Runs a slate until each rendition has two segments. */
async function playSlate(ffmpeg: Ffmpeg, still?: Still) {
  const { encoder, leftovers } = await ffmpegUnderTest(ffmpeg);
  const segments = new EventLog<{ name: string; seconds: number; bytes: Buffer }>();
  const inits = new Map<string, Buffer>();
  const plan = { broadcastID: 'bcast_1', segmentSeconds: 1, frameRate: { numerator: 5, denominator: 1 } };
  const run = await encoder.start(
    { ...plan, video: slateVideo, hasAudio: true, input: 'slate', ...(still && { still }) },
    {
      onInit: (name, bytes) => void inits.set(name, bytes),
      onSegment: (name, { durationSeconds: seconds, bytes }) =>
        segments.add({ name, seconds, bytes: Buffer.concat([inits.get(name)!, bytes]) }),
      onExit: () => undefined,
    },
  );
  await segments.atLeast(6);
  await run.close();
  return { segments: segments.all, leftovers: await leftovers() };
}

/** A second of blue whose last picture is light orange. */
function stillSegment(size: string): Buffer {
  const picture = `color=blue:size=${size}:rate=30:duration=1,drawbox=color=0xf0c080:thickness=fill:enable='gte(n,29)'`;
  const output = ['-c:v', 'libx264', '-bf', '0', '-movflags', '+frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1'];
  const made = spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', picture, '-pix_fmt', 'yuv420p', ...output]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  return made.stdout;
}

describe('the slate of FfmpegEncoder', () => {
  it('has the length of a segment in every rendition, and is black without a picture', async () => {
    const { segments, leftovers } = await playSlate(await systemFfmpeg());
    expect(new Set(segments.map(({ name }) => name))).toEqual(new Set(['v1', 'v2', 'audio']));
    for (const { seconds } of segments) expect(seconds).toBeCloseTo(1, 1);
    const { first } = picturesOf(segments.find(({ name }) => name === 'v1')!.bytes);
    expect(Math.max(...first)).toBeLessThan(8);
    expect(leftovers).toEqual([]);
  });

  it.each([
    { version: 'from the system', find: systemFfmpeg },
    { version: 'from npm', find: async () => inspectFfmpeg(await bundledFfmpegPath()) },
  ])('shows the last picture of its segment in every rendition, with the FFmpeg $version', async ({ find }) => {
    const still = { segment: stillSegment('1280x720'), isDimmed: true };
    const { segments } = await playSlate(await find(), still);
    for (const { name, width, height } of slateVideo)
      for (const { bytes, seconds } of segments.filter(each => each.name === name)) {
        expect(seconds).toBeCloseTo(1, 1);
        const { streams, packets } = probe(bytes, '-show_packets');
        expect(streams[0]).toMatchObject({ width, height });
        expect(packets!.map(({ flags }) => flags.includes('K')).lastIndexOf(true)).toBe(0);
        const { first, last } = picturesOf(bytes);
        for (const [byte, value] of [...first, ...last].entries())
          expect(Math.abs(value - [0x78, 0x60, 0x40][byte % 3]!)).toBeLessThan(8);
      }
  });

  it('shows a picture of another shape whole, without another dimming', async () => {
    const { segments } = await playSlate(await systemFfmpeg(), { segment: stillSegment('720x720'), isDimmed: false });
    const { first } = picturesOf(segments.find(({ name }) => name === 'v1')!.bytes);
    expect([...first.subarray(0, 3)].every(value => value < 8)).toBe(true);
    expect(first[4 * 24 + 4 * 3]).toBeGreaterThan(0xe0);
  });
});

const hertz = 440;
const sampleRate = 48_000;

/** Six seconds of a tone. After three seconds its times jump by so many ms. */
function jumpingSound(jumpMs: number): Buffer {
  const times = `if(gte(N,150),PTS+${jumpMs},PTS)`;
  const inputs = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=25:duration=6', '-f', 'lavfi', '-i'];
  const made = spawnSync('ffmpeg', [
    ...['-v', 'error', ...inputs, `sine=frequency=${hertz}:sample_rate=${sampleRate}:duration=6`],
    ...['-c:v', 'libx264', '-c:a', 'libopus', '-ac', '2', '-bsf:a', `setts=pts='${times}':dts='${times}'`],
    ...['-f', 'matroska', 'pipe:1'],
  ]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  return made.stdout;
}

describe('the sound of FfmpegEncoder', () => {
  it.each([
    { jumpMs: 3, version: 'from the system', find: systemFfmpeg },
    { jumpMs: 25, version: 'from the system', find: systemFfmpeg },
    { jumpMs: 3, version: 'from npm', find: async () => inspectFfmpeg(await bundledFfmpegPath()) },
    { jumpMs: 25, version: 'from npm', find: async () => inspectFfmpeg(await bundledFfmpegPath()) },
  ])('keeps its length and its tone when its times jump by $jumpMs ms, with the FFmpeg $version', async each => {
    const { encoder } = await ffmpegUnderTest(await each.find());
    const segments = new EventLog<Buffer>();
    const video = [{ name: 'v1', width: 64, height: 64, bitrate: 100_000 }];
    const plan = { broadcastID: 'bcast_1', segmentSeconds: 1, frameRate: { numerator: 25, denominator: 1 } };
    const keep = (name: string, bytes: Buffer) => void (name === 'audio' && segments.add(bytes));
    const run = await encoder.start(
      { ...plan, video, hasAudio: true },
      { onInit: keep, onSegment: (name, { bytes }) => keep(name, bytes), onExit: () => undefined },
    );
    run.write(jumpingSound(each.jumpMs));
    // The init segment and five seconds.
    const [...arrived] = await segments.atLeast(6);
    await run.close();
    const path = join(folder, 'audio.mp4');
    await writeFile(path, Buffer.concat(arrived.slice(0, 6)));
    const samples = samplesOf(path);
    expect(Math.abs(samples.length / sampleRate - 5)).toBeLessThan(0.1);
    for (const second of [1, 2, 3, 4]) expect(toneIn(samples, hertz, second, 0.2)).toBeGreaterThan(0.09);
  });
});
