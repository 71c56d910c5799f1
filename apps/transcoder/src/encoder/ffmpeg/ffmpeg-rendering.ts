import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Clock } from '@rtms/clock';
import { LastLines, launch, type Ffmpeg } from '@rtms/ffmpeg';
import { maxPixelsArguments } from './ffmpeg-arguments.js';
import { graphOf } from './ffmpeg-composing.js';
import { composedEncoding, composedFilters, composedGeneralArguments, fileInputs } from '../graph/composed-graph.js';
import type { RenderTask } from '../recorder.js';

export interface RenderOptions {
  /** Arguments of the part. */
  output: readonly string[];
  /** FFmpeg works here, and reads the names of the sources from files here. */
  names: string;
  clock: Clock;
  signal: AbortSignal;
}

/** Broadcasts and recordings in progress come first. */
const niceness = 10;
/** A file with one keyframe in hours is decoded from its beginning. */
const stalledMs = 600_000;

/** Composes pieces of files into a part. Rejects with the last lines of FFmpeg if it fails or stops, and on abort. */
export async function renderFiles(
  ffmpeg: Ffmpeg,
  { scene, inputs, seconds }: RenderTask,
  { output, names, clock, signal }: RenderOptions,
): Promise<void> {
  signal.throwIfAborted();
  const graph = { ...(await graphOf(ffmpeg, scene, names)), files: inputs };
  const decoding = scene.maxPixels === undefined ? [] : maxPixelsArguments(scene.maxPixels);
  const [command, args] = launch(ffmpeg, [
    ...[...composedGeneralArguments, '-nostdin', '-progress', 'pipe:1', ...fileInputs(inputs, seconds, decoding)],
    ...['-filter_complex', composedFilters(graph), ...composedEncoding(scene)],
    // The join stops at the first picture after the end, although sound before it may follow in the file.
    ...['-t', seconds.toFixed(3), ...output],
  ]);
  const process: ChildProcess = spawn(command, args, {
    ...{ cwd: names, signal, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = new LastLines(20);
  const closed = once(process, 'close') as Promise<[number | null]>;
  becomeNice(process.pid);
  // A process that cannot start may have no pipes.
  process.stderr?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const stop = watchProgress(process, clock, () => {
    lines.push('FFmpeg encodes nothing\n');
    process.kill('SIGKILL');
  });
  try {
    const [code] = await closed;
    if (code !== 0) throw new Error(`FFmpeg could not compose the files: ${lines.all().join(' | ')}`);
  } finally {
    stop();
  }
}

/** Calls `onStalled` when the encoded time stays the same. Returns the end of the watch. */
function watchProgress({ stdout }: ChildProcess, clock: Clock, onStalled: () => void): () => void {
  let last = '';
  let stalled = clock.after(stalledMs, onStalled);
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const time = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
    if (time === undefined || time === last) return;
    last = time;
    stalled.cancel();
    stalled = clock.after(stalledMs, onStalled);
  });
  return () => stalled.cancel();
}

/** The system may not allow it, or the process has ended already. */
function becomeNice(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    return;
  }
}
