import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '@rtms/clock';
import { messageOf, type Logger } from '@rtms/logging';
import type { IngestProblem } from '@rtms/contracts';
import { LastLines, launch, type Ffmpeg } from '@rtms/ffmpeg';
import type { EncoderStream, StreamEnd } from '../publishing/encoder-stream.js';

/** Between two starts, when FFmpeg ends at once or the encoder was refused. */
const pauseMs = 1_000;
/**
 * An encoder that sends nothing for so long is gone. libsrt takes five seconds, and FFmpeg then sends what it has left: the SFU would take
 * the encoder for returned.
 */
const silentMs = 2_500;
/** Nothing takes the media of the encoder for so long: the conversion hangs. */
const stuckMs = 30_000;
/** A stranger who guesses must not cause a message for each guess. */
const reportEveryMs = 5_000;

export interface SrtListenerParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  logger: Logger;
  host: string;
  latencyMs: number;
  /** An encoder with the right passphrase sends. Rejects when it may not publish. */
  admit: (onDrain: () => void) => Promise<EncoderStream>;
  report: (problem: IngestProblem) => void;
}

/**
 * Waits at one UDP port for the encoder of one session. FFmpeg takes one caller a start and refuses a wrong passphrase, so it
 * starts again after each caller.
 */
export class SrtListener {
  private readonly stop = new AbortController();
  private process: ChildProcess | undefined;
  private stream: EncoderStream | undefined;
  private reportedAt = -Infinity;
  private readonly ended: Promise<void>;

  constructor(
    private readonly parts: SrtListenerParts,
    readonly sessionID: string,
    readonly port: number,
    readonly passphrase: string,
  ) {
    this.ended = this.run();
  }

  get isPublishing(): boolean {
    return this.stream?.isPublishing ?? false;
  }

  get hasEncoder(): boolean {
    return this.stream !== undefined;
  }

  /** Drops the encoder. Safe to call twice. */
  async close(): Promise<void> {
    this.stop.abort();
    this.stream?.close();
    this.process?.kill('SIGKILL');
    await this.ended;
  }

  private async run(): Promise<void> {
    const { clock, logger } = this.parts;
    while (!this.stop.signal.aborted) {
      const begun = clock.now();
      try {
        await this.serveOne();
      } catch (error) {
        logger.info({ sessionID: this.sessionID, reason: messageOf(error) }, 'an SRT encoder was refused');
      }
      if (clock.now() - begun < pauseMs) await clock.pause(pauseMs, this.stop.signal);
    }
  }

  /** Serves one encoder from its call to its end. Rejects when it may not publish. */
  private async serveOne(): Promise<void> {
    const { ffmpeg } = this.parts;
    const [command, args] = launch(ffmpeg, listenerArguments);
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.process = child;
    // Before the pipes, which a process without file descriptors does not have.
    const exited = new Promise<void>(resolve => child.once('close', () => resolve()).once('error', () => resolve()));
    const lines = new LastLines(10);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Incorrect passphrase')) this.reportWrongPassphrase();
      lines.push(text.replaceAll(this.passphrase, '***'));
    });
    child.stdin.on('error', () => undefined);
    // The arguments of a process are visible to all users of the machine, so the passphrase is not among them.
    child.stdin.end(this.playlist());
    if (this.stop.signal.aborted) child.kill('SIGKILL');
    try {
      const first = await Promise.race([firstOf(child.stdout), exited.then(() => undefined)]);
      if (first === undefined) return this.noteEarlyEnd(lines.all());
      const stream = await this.parts.admit(() => child.stdout.resume());
      this.stream = stream;
      if (this.stop.signal.aborted) stream.close();
      stream.write(first);
      void exited.then(() => stream.close());
      const { problem } = await this.forward(child.stdout, stream);
      if (problem) this.parts.report(problem);
    } finally {
      this.stream = undefined;
      child.kill('SIGKILL');
      await exited;
    }
  }

  /** Forwards the encoder's media until one of both ends, or the encoder falls silent. */
  private async forward(source: Readable, stream: EncoderStream): Promise<StreamEnd> {
    const { clock } = this.parts;
    let heardAt = clock.now();
    source.on('data', (data: Buffer) => {
      heardAt = clock.now();
      if (!stream.write(data)) source.pause();
    });
    source.on('resume', () => (heardAt = clock.now()));
    source.resume();
    const silence = clock.every(250, () => {
      if (clock.now() - heardAt > (source.isPaused() ? stuckMs : silentMs)) stream.close();
    });
    return stream.ended.finally(() => silence.cancel());
  }

  /** FFmpeg's list of inputs, which it reads from stdin. */
  private playlist(): string {
    const { host, latencyMs } = this.parts;
    const address = `${host.includes(':') ? `[${host}]` : host}:${this.port}`;
    const options = `mode=listener&latency=${latencyMs * 1000}&pbkeylen=16&passphrase=${this.passphrase}`;
    const probing = `option probesize ${probeBytes}\noption analyzeduration ${analyzeMicroseconds}\n`;
    return `ffconcat version 1.0\nfile 'srt://${address}?${options}'\n${probing}`;
  }

  private reportWrongPassphrase(): void {
    const now = this.parts.clock.now();
    if (now - this.reportedAt < reportEveryMs) return;
    this.reportedAt = now;
    this.parts.report('wrong_passphrase');
  }

  private noteEarlyEnd(lastLines: string[]): void {
    if (this.stop.signal.aborted) return;
    const { sessionID, port } = this;
    this.parts.logger.warn({ sessionID, port, ffmpeg: lastLines }, 'FFmpeg ended before an SRT encoder sent media');
  }
}

/** Reads once, then pauses the stream. */
function firstOf(stream: Readable): Promise<Buffer> {
  return new Promise(resolve => {
    stream.once('data', (data: Buffer) => {
      stream.pause();
      resolve(data);
    });
  });
}

const probeBytes = 1_000_000;
const analyzeMicroseconds = 700_000;

/** Copies what arrives. Each audio frame has a packet of its own, because a packet with several waits for the last one. */
const listenerArguments = [
  ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-protocol_whitelist', 'pipe,srt,udp'],
  ...['-probesize', `${probeBytes}`, '-analyzeduration', `${analyzeMicroseconds}`],
  ...['-f', 'concat', '-safe', '0', '-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy'],
  ...['-f', 'mpegts', '-muxdelay', '0', '-muxpreload', '0', '-pes_payload_size', '0', '-flush_packets', '1', 'pipe:1'],
];
