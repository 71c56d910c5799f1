import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@rtms/clock';
import { LastLines } from '@rtms/ffmpeg';
import { messageOf } from '@rtms/logging';
import type { EncoderExit, EncoderListener, EncoderRun } from '../encoder.js';
import type { WorkDirectory } from './work-directory.js';

/** Some seconds of a high-quality source. More means that FFmpeg is too slow. */
const mostQueuedBytes = 8 * 1024 * 1024;
/** A viewer misses no more than the queued input, and encoding it takes well under this. */
const finishTimeoutMs = 3_000;

export interface RunLimits {
  /** ms from the end of the input after which the process is killed. */
  finishMs: number;
  /** Of each input. */
  queuedBytes: number;
}

/** A process, its standard error and the pipes that it reads. A process that cannot start, for want of descriptors, has no pipes. */
export interface FfmpegProcess {
  process: ChildProcess;
  errors: Readable | null | undefined;
  inputs: readonly (Writable | null | undefined)[];
}

/** For runs without a working directory. */
export const nothingToTakeOut = { scan: () => Promise.resolve(), close: () => Promise.resolve() };

/** One FFmpeg process and its working directory. */
export class FfmpegRun implements EncoderRun {
  readonly pid: number | undefined;
  private readonly process: ChildProcess;
  private readonly inputs: FfmpegProcess['inputs'];
  private readonly lines = new LastLines(20);
  private readonly exited: Promise<void>;
  private readonly limits: RunLimits;
  private isExpectedToEnd = false;
  private closing: Promise<void> | undefined;

  constructor(
    { process, errors, inputs }: FfmpegProcess,
    private readonly directory: Pick<WorkDirectory, 'scan' | 'close'>,
    private readonly listener: Pick<EncoderListener, 'onExit'>,
    private readonly clock: Clock,
    limits: Partial<RunLimits> = {},
  ) {
    this.limits = { finishMs: finishTimeoutMs, queuedBytes: mostQueuedBytes, ...limits };
    this.pid = process.pid;
    this.process = process;
    this.inputs = inputs;
    this.exited = new Promise(resolve => {
      process.once(
        'error',
        error => void this.onEnd({ code: null, signal: null }, [error.message]).then(resolve, resolve),
      );
      process.once(
        'close',
        (code, signal) => void this.onEnd({ code, signal }, this.lines.all()).then(resolve, resolve),
      );
    });
    // After the events of the process, because the pipes may be absent.
    errors?.setEncoding('utf8').on('data', (text: string) => this.lines.push(text));
    // A dead process breaks the pipe. The exit event reports it.
    for (const input of inputs) input?.on('error', () => undefined);
  }

  write(data: Buffer, index = 0): boolean {
    const input = this.inputs[index];
    if (this.isExpectedToEnd || !input?.writable) return true;
    // Each write is a whole element, so that a process that reads nothing loses media and no memory.
    if (input.writableLength >= 2 * this.limits.queuedBytes) return false;
    input.write(data);
    return input.writableLength < this.limits.queuedBytes;
  }

  /** Bytes that the process has not read. */
  queuedBytes(index: number): number {
    return this.inputs[index]?.writableLength ?? 0;
  }

  endInput(index: number): void {
    this.inputs[index]?.end();
  }

  async finish(): Promise<void> {
    this.isExpectedToEnd = true;
    for (const input of this.inputs) input?.end();
    const timer = this.clock.after(this.limits.finishMs, () => this.process.kill('SIGKILL'));
    await this.exited;
    timer.cancel();
    await this.close();
  }

  /** Kills the process because its output is incomplete. The listener sees an unexpected exit. */
  abandon(error: unknown): void {
    this.lines.push(`${messageOf(error)}\n`);
    this.process.kill('SIGKILL');
  }

  close(): Promise<void> {
    this.closing ??= this.kill();
    return this.closing;
  }

  private async kill(): Promise<void> {
    this.isExpectedToEnd = true;
    this.process.kill('SIGKILL');
    await this.exited;
    await this.directory.close();
  }

  private ended: Promise<void> | undefined;

  private onEnd(status: Pick<EncoderExit, 'code' | 'signal'>, lastLines: string[]): Promise<void> {
    this.ended ??= this.reportEnd({ ...status, lastLines, expected: this.isExpectedToEnd });
    return this.ended;
  }

  private async reportEnd(exit: EncoderExit): Promise<void> {
    await this.directory.scan();
    this.listener.onExit(exit);
    if (!exit.expected) await this.directory.close();
  }
}
