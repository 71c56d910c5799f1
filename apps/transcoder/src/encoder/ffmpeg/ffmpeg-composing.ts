import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@rtms/clock';
import { findTextFont, launch, type Ffmpeg } from '@rtms/ffmpeg';
import type { ComposedCapture, EncoderListener, Scene } from '../encoder.js';
import { maxPixelsArguments } from './ffmpeg-arguments.js';
import { FfmpegRun, type RunLimits } from './ffmpeg-run.js';
import {
  composedFilters,
  composedGeneralArguments,
  composedInputs,
  type ComposedGraph,
} from '../graph/composed-graph.js';
import type { WorkDirectory } from './work-directory.js';

export interface ComposingOptions extends Partial<Pick<RunLimits, 'finishMs'>> {
  /** FFmpeg works here. Closed with the process. */
  directory: Pick<WorkDirectory, 'path' | 'scan' | 'close'>;
  /** Returns the arguments after the inputs. `filters` end in `[v]` and `[a]`. */
  output: (filters: string) => string[];
  listener: Pick<EncoderListener, 'onExit'>;
  clock: Clock;
}

/** The first two are the standard output and error. */
const firstPipe = 3;
/** Several decoders may have some seconds of queued input. */
const finishTimeoutMs = 10_000;
const queuedBytes = 2 * 1024 * 1024;

/** Starts an FFmpeg that composes a scene. */
export async function startComposing(
  ffmpeg: Ffmpeg,
  scene: Scene,
  { directory, output, listener, clock, finishMs = finishTimeoutMs }: ComposingOptions,
): Promise<FfmpegComposing> {
  const { sounds, maxPixels } = scene;
  try {
    const graph = await graphOf(ffmpeg, scene, directory.path);
    const inputs = 1 + graph.tiles.filter(({ picture }) => picture).length + sounds;
    const decoding = maxPixels === undefined ? [] : maxPixelsArguments(maxPixels);
    const urls = Array.from({ length: inputs }, (_, i) => `pipe:${firstPipe + i}`);
    const [command, args] = launch(ffmpeg, [
      ...[...composedGeneralArguments, '-progress', 'pipe:1', ...composedInputs(graph, urls, decoding)],
      ...output(composedFilters(graph)),
    ]);
    const stdio = ['ignore' as const, ...['out', 'errors', ...urls].map(() => 'pipe' as const)];
    const process = spawn(command, args, { cwd: directory.path, stdio });
    return new FfmpegComposing(process, directory, listener, clock, { finishMs, queuedBytes });
  } catch (error) {
    await directory.close();
    throw error;
  }
}

/** The graph of a scene. Writes the names of its sources into files of the directory. */
export async function graphOf(ffmpeg: Ffmpeg, scene: Scene, directory: string): Promise<ComposedGraph> {
  const { style, sounds, isAudioOnly } = scene;
  const tiles = await Promise.all(scene.tiles.map((tile, i) => withNameFile(tile, i, directory)));
  return { style, tiles, sounds, isAudioOnly, fontFile: style.nameTagsColor && (await textFontOf(ffmpeg)) };
}

/** FFmpeg with several inputs, and its progress on the standard output. */
class FfmpegComposing extends FfmpegRun implements ComposedCapture {
  encodedMs = 0;

  constructor(
    process: ChildProcess,
    directory: Pick<WorkDirectory, 'scan' | 'close'>,
    listener: Pick<EncoderListener, 'onExit'>,
    clock: Clock,
    limits: RunLimits,
  ) {
    // A process that cannot start may have none.
    const pipes = ((process.stdio as ChildProcess['stdio'] | undefined) ?? []) as [
      null?,
      Readable?,
      Readable?,
      ...Writable[],
    ];
    const [, progress, errors, ...inputs] = pipes;
    super({ process, errors, inputs }, directory, listener, clock, limits);
    progress?.setEncoding('utf8').on('data', (text: string) => {
      const last = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
      if (last !== undefined) this.encodedMs = Number(last) / 1000;
    });
  }
}

const fonts = new WeakMap<Ffmpeg, Promise<string | undefined>>();

/** The font of name tags. Looked for once, because it changes only with the system's packages. */
export function textFontOf(ffmpeg: Ffmpeg): Promise<string | undefined> {
  const font = fonts.get(ffmpeg) ?? findTextFont(ffmpeg);
  fonts.set(ffmpeg, font);
  return font;
}

const mostShownCharacters = 64;

/** A text file of one line: control characters would begin another line, or mean nothing to the font. */
async function withNameFile<Tile extends { name: string }>(tile: Tile, index: number, directory: string) {
  const nameFile = `name-${index}.txt`;
  const text = tile.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim();
  if (text === '') return tile;
  await writeFile(join(directory, nameFile), [...text].slice(0, mostShownCharacters).join(''));
  return { ...tile, nameFile };
}
