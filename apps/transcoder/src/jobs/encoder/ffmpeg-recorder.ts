import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@rtms/clock';
import type { CodecName } from '@rtms/contracts';
import type { Capture, CapturePlan, JoinTask, Recorder } from '../../recordings/recorder.js';
import { captureArguments, joinArguments } from '../../recordings/recording-arguments.js';
import type { EncoderExit } from './encoder.js';
import { canDecode, launch } from './ffmpeg-launch.js';
import { FfmpegRun } from './ffmpeg-run.js';
import type { Ffmpeg } from './find-ffmpeg.js';
import { LastLines } from './last-lines.js';

const nothingToTakeOut = { scan: () => Promise.resolve(), close: () => Promise.resolve() };

/** Records with one FFmpeg process a part, and joins parts with another one. */
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
    return new FfmpegRun(process, nothingToTakeOut, { onExit }, this.clock);
  }

  async join({ plan, parts, directory, path }: JoinTask, signal: AbortSignal): Promise<void> {
    const list = join(directory, 'parts.txt');
    await writeFile(list, parts.map(part => `file '${part}'\n`).join(''));
    const [command, args] = launch(this.ffmpeg, joinArguments(plan, list, path));
    const process = spawn(command, args, {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const lines = new LastLines(20);
    process.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    const [code] = (await once(process, 'close')) as [number | null];
    if (code === 0) return;
    const error = new Error(`FFmpeg could not join the parts: ${lines.all().join(' | ')}`);
    throw error.message.includes('No space left on device') ? Object.assign(error, { code: 'ENOSPC' }) : error;
  }
}
