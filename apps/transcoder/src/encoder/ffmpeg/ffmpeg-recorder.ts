import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '@rtms/clock';
import type { CodecName } from '@rtms/contracts';
import type { PictureSize } from '@rtms/bitstream';
import type { Capture, CapturePlan, JoinedPart, JoinTask, Recorder, RenderTask } from '../recorder.js';
import { composedEncoding } from '../graph/composed-graph.js';
import type { ComposedCapture, EncoderExit, Scene } from '../encoder.js';
import { canDecode, LastLines, launch, type Ffmpeg } from '@rtms/ffmpeg';
import { FfmpegRun, nothingToTakeOut } from './ffmpeg-run.js';
import { startComposing, textFontOf } from './ffmpeg-composing.js';
import { renderFiles } from './ffmpeg-rendering.js';
import { maxPixelsArguments } from './ffmpeg-arguments.js';
import { area, isCopied, type JoinPlan } from '../../rtp/part-shape.js';

/** Media that a recorder has not written is lost. A process that was just started needs some seconds on a busy machine. */
const recordedWithinMs = 30_000;

/** Records each part with one FFmpeg process, and joins the parts with another one. */
export class FfmpegRecorder implements Recorder {
  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly clock: Clock,
  ) {}

  decodes(codec: CodecName): boolean {
    return canDecode(this.ffmpeg, codec);
  }

  capture(plan: CapturePlan, onExit: (exit: EncoderExit) => void): Capture {
    const [command, args] = launch(this.ffmpeg, captureArguments(plan));
    const process = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    const pipes = { process, errors: process.stderr, inputs: [process.stdin] };
    return new FfmpegRun(pipes, nothingToTakeOut, { onExit }, this.clock, { finishMs: recordedWithinMs });
  }

  async hasNameTags(): Promise<boolean> {
    return (await textFontOf(this.ffmpeg)) !== undefined;
  }

  async compose(scene: Scene, path: string, onExit: (exit: EncoderExit) => void): Promise<ComposedCapture> {
    const part = resolve(path);
    const names = await mkdtemp(join(dirname(part), 'names-'));
    const directory = {
      path: names,
      scan: () => Promise.resolve(),
      close: () => rm(names, { recursive: true, force: true }),
    };
    const output = (filters: string) => ['-filter_complex', filters, ...composedEncoding(scene), ...partOutput(part)];
    const options = { directory, output, listener: { onExit }, clock: this.clock, finishMs: recordedWithinMs };
    return startComposing(this.ffmpeg, scene, options);
  }

  async render(task: RenderTask, signal: AbortSignal): Promise<void> {
    const path = resolve(task.path);
    const names = await mkdtemp(join(dirname(path), 'names-'));
    try {
      await renderFiles(this.ffmpeg, task, { output: partOutput(path), names, clock: this.clock, signal });
    } finally {
      await rm(names, { recursive: true, force: true });
    }
  }

  async join({ plan, parts, startedAt, directory, path }: JoinTask, signal: AbortSignal): Promise<void> {
    const list = join(directory, 'parts.txt');
    await writeFile(list, parts.map(listed).join(''));
    const [command, args] = launch(this.ffmpeg, joinArguments(plan, list, path, startedAt));
    const process: ChildProcess = spawn(command, args, {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const lines = new LastLines(20);
    const closed = once(process, 'close') as Promise<[number | null]>;
    // A process that cannot start may have no pipes.
    process.stderr?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const [code] = await closed;
    if (code === 0) return;
    const error = new Error(`FFmpeg could not join the parts: ${lines.all().join(' | ')}`);
    throw error.message.includes('No space left on device') ? Object.assign(error, { code: 'ENOSPC' }) : error;
  }
}

function listed({ file, seconds }: JoinedPart): string {
  return `file '${file}'\n${seconds === undefined ? '' : `outpoint ${seconds}\n`}`;
}

/** A crash loses at most one fragment. */
const fragmentMicroseconds = 1_000_000;

/** Arguments that convert a Matroska stream from stdin to a fragmented MP4 file. */
function captureArguments({ codecs, shape: { video }, path, maxPixels }: CapturePlan): string[] {
  const isCopy = codecs.video === undefined || isCopied(codecs.video.codec);
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-y'],
    // The Matroska header has all data, so probing is disabled.
    ...['-fpsprobesize', '0', '-analyzeduration', '0'],
    ...(isCopy || maxPixels === undefined ? [] : maxPixelsArguments(maxPixels)),
    ...['-f', 'matroska', '-i', 'pipe:0'],
    ...(isCopy || !video ? ['-map', '0', '-c', 'copy'] : ['-map', '0', '-c:a', 'copy', ...liveEncoding(video.size)]),
    ...partOutput(path),
  ];
}

function partOutput(path: string): string[] {
  return [
    ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-frag_duration', `${fragmentMicroseconds}`],
    ...['-flush_packets', '1', '-f', 'mp4', path],
  ];
}

/** Arguments that join the parts of a concat list into one MP4 file with its index first, for progressive download. */
function joinArguments(plan: JoinPlan, list: string, file: string, startedAt: string | undefined): string[] {
  return [
    ...['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'warning', '-y'],
    ...(plan.kind === 'copy' ? [] : maxPixelsArguments(area(plan.size))),
    ...['-f', 'concat', '-safe', '0', '-i', list, '-map', '0'],
    ...(plan.kind === 'copy' ? ['-c', 'copy'] : ['-c:a', 'copy', ...encoding(plan.size)]),
    // `creation_time` has whole seconds, and the date is exact.
    ...(startedAt === undefined ? [] : ['-metadata', `creation_time=${startedAt}`, '-metadata', `date=${startedAt}`]),
    ...['-movflags', '+faststart', '-f', 'mp4', file],
  ];
}

/** Disables the encoder's look-ahead, so that a crash loses no more than with copied video. */
function liveEncoding(size: PictureSize): string[] {
  return [...encoding(size), '-tune', 'zerolatency'];
}

/** Keyframes every two seconds, for seeking. Frame times do not change. */
function encoding({ width, height }: PictureSize): string[] {
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  return [
    ...['-vf', `${scale},pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`, '-vsync', 'vfr'],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '23',
      '-bf',
      '0',
      '-force_key_frames',
      'expr:gte(t,n_forced*2)',
    ],
  ];
}
