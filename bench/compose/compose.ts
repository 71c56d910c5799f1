// CPU of a composed recording of 2, 4 and 9 participants beside bare FFmpeg with the same graph and the same pictures. Prints one JSON line.
//   npm run bench:compose -- [seconds] [participants, as 2,4,9]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComposedSource, CompositionStyle } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { arrange } from '../../apps/transcoder/src/composition/arrange.js';
import {
  composedEncoding,
  composedFilters,
  composedGeneralArguments,
  composedInputs,
  type ComposedGraph,
} from '../../apps/transcoder/src/encoder/graph/composed-graph.js';
import { readBoxes } from '../../apps/transcoder/src/jobs/recordings/mp4-file.js';
import { sfuNodeID } from '../../apps/transcoder/test/broadcast-bench.js';
import { openRecordingBench, recordingRequest, workOf } from '../../apps/transcoder/test/recording-bench.js';
import { cpuSeconds } from '../process-usage.js';
import { CopiedSource, endProcess } from './copied-source.js';

const seconds = Number(process.argv[2] ?? 15);
const counts = (process.argv[3] ?? '2,4,9').split(',').map(Number);
const ffmpeg = process.env['FFMPEG_PATH'] ?? 'ffmpeg';
const frame = { width: 1280, height: 720 };
const style: CompositionStyle = {
  ...{ layout: 'grid', ...frame, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
  backgroundColor: '#202020',
};

const directory = await mkdtemp(join(tmpdir(), 'rtms-bench-'));
const fileOf = (name: string) => join(directory, name);
try {
  makeMedia();
  const results: Record<string, unknown> = {};
  for (const count of counts) {
    const bare = await measureBare(count);
    const composed = await measureComposed(count);
    results[count] = { ...composed, bare, ratio: (composed.encoder + composed.service) / bare };
  }
  console.log(JSON.stringify({ bench: 'compose', seconds, cores: results }));
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** 30 s of a participant at 720p, in one file for the picture and one for the sound, and the clock of a bare graph. */
function makeMedia(): void {
  const lavfi = (description: string) => ['-f', 'lavfi', '-i', description];
  const h264 = ['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '30'];
  const rate = ['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'];
  const opus = ['-c:a', 'libopus', '-ac', '2'];
  run([...lavfi('testsrc2=size=1280x720:rate=30'), '-t', '30', ...h264, ...rate, fileOf('picture.mkv')]);
  run([...lavfi('sine=frequency=440:sample_rate=48000'), '-t', '30', ...opus, fileOf('sound.mkv')]);
  const clock = [
    ...lavfi('color=black:size=2x2:rate=10'),
    ...lavfi('anullsrc=sample_rate=48000:channel_layout=stereo'),
  ];
  run([...clock, '-t', `${seconds + 60}`, '-c:v', 'rawvideo', '-pix_fmt', 'gray', ...opus, fileOf('clock.mkv')]);
}

function run(args: string[]): void {
  const { status, stderr } = spawnSync(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args]);
  if (status !== 0) throw new Error(`FFmpeg made no media: ${stderr.toString()}`);
}

function sourcesOf(count: number): ComposedSource[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ sourceID: `part_${i}`, view: 'camera', sfuNodeID, tracks: ['audio', 'video'], name: '', isHost: false },
  }));
}

/** FFmpeg alone reads the same media from files in real time. */
async function measureBare(count: number): Promise<number> {
  const { tiles } = arrange(style, { sources: sourcesOf(count) });
  const graph: ComposedGraph = {
    style,
    tiles: tiles.map(tile => ({ ...tile, fit: style.fit, picture: frame })),
    sounds: count,
  };
  const media = (name: string) => Array.from({ length: count }, () => fileOf(name));
  const inputs = composedInputs(graph, [fileOf('clock.mkv'), ...media('picture.mkv'), ...media('sound.mkv')]);
  const fromFiles = inputs.flatMap((argument, i) => {
    if (argument === '-itsoffset') return ['-re', '-stream_loop', '-1', argument];
    return inputs[i - 1] === '-itsoffset' ? ['0'] : [argument];
  });
  const path = fileOf(`bare-${count}.mp4`);
  const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-frag_duration', '1000000'];
  const args = [...composedGeneralArguments, ...fromFiles, '-filter_complex', composedFilters(graph)];
  const child = spawn(ffmpeg, [...args, ...composedEncoding(graph), ...fragments, path], { stdio: 'ignore' });
  const [used = 0] = await cpuOf([child.pid!], path);
  await endProcess(child);
  return used;
}

async function measureComposed(count: number): Promise<{ encoder: number; service: number }> {
  const bench = await openRecordingBench(() => new CopiedSource(ffmpeg, fileOf('picture.mkv'), fileOf('sound.mkv')));
  try {
    await bench.recordings.start({ ...recordingRequest(), composition: { ...style, sources: sourcesOf(count) } });
    const part = await waitFor(() => settledPart(workOf(bench)), { everyMs: 500 });
    const pid = bench.recordings.recorderPids().get('rec_1');
    const [encoder = 0, service = 0] = await cpuOf([pid!, process.pid], part);
    await bench.recordings.stop({ recordingID: 'rec_1' });
    return { encoder, service };
  } finally {
    await bench.close();
  }
}

/** The newest part, when it has 5 s of media. The senders begin one after the other, so the first parts are short. */
async function settledPart(directory: string): Promise<string | undefined> {
  const parts = (await readdir(directory)).filter(file => file.startsWith('part-'));
  const newest = join(directory, `part-${parts.length - 1}.mp4`);
  return (await fragmentsIn(newest)) >= 5 ? newest : undefined;
}

/** CPU seconds of each process for a second of the file's media. So a busy machine gives the same figure as an idle one. */
async function cpuOf(pids: readonly number[], path: string): Promise<number[]> {
  const first = 5;
  const reached = (count: number) =>
    waitFor(async () => (await fragmentsIn(path)) >= count, {
      timeoutMs: 300_000,
      everyMs: 500,
      what: `${count} s of ${path}`,
    });
  await reached(first);
  const before = pids.map(cpuSeconds);
  const from = await fragmentsIn(path);
  await reached(from + seconds);
  const after = pids.map(cpuSeconds);
  const media = (await fragmentsIn(path)) - from;
  return after.map((used, i) => (used - before[i]!) / media);
}

async function fragmentsIn(path: string): Promise<number> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return 0;
  const boxes = await readBoxes(file);
  await file.close();
  return boxes.filter(({ type }) => type === 'mdat').length;
}
