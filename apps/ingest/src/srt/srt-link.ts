import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { lateTicks, type Clock } from '@rtms/clock';
import { messageOf, withoutSecrets, type Logger } from '@rtms/logging';
import type { IngestProblem } from '@rtms/contracts';
import { LastLines, launch, type Ffmpeg } from '@rtms/ffmpeg';
import type { EncoderStream, StreamEnd } from '../publishing/encoder-stream.js';
import { analyzeMicroseconds, CallFailure, probeBytes, type SrtRoute } from './srt-routes.js';

/**
 * An encoder that sends nothing for so long is gone. libsrt takes five seconds, and FFmpeg then sends what it has left: the SFU would take
 * the encoder for returned.
 */
const silentMs = 2_500;
const lookEveryMs = 250;
/** Nothing takes the media of the encoder for so long: the conversion hangs. */
const stuckMs = 30_000;
/** A stranger who guesses must not cause a message for each guess. */
const reportEveryMs = 5_000;

/** A called encoder that sends nothing stays connected, and its session tells so after this time. */
const noMediaMs = 15_000;

export interface SrtLinkParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  logger: Logger;
  /** An encoder with the right passphrase sends. Rejects when it may not publish. */
  admit: (onDrain: () => void) => Promise<EncoderStream>;
  report: (problem: IngestProblem) => void;
}

/**
 * The SRT connection of one session: FFmpeg waits for the encoder at one UDP port, or calls the encoder. FFmpeg serves one
 * connection a start, so it starts again after each one.
 */
export class SrtLink {
  private readonly stop = new AbortController();
  /** Name servers that answer slowly do not delay the end. */
  private readonly stopped = new Promise<undefined>(resolve =>
    this.stop.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  private process: ChildProcess | undefined;
  private stream: EncoderStream | undefined;
  private reportedAt = -Infinity;
  private readonly ended: Promise<void>;

  constructor(
    private readonly parts: SrtLinkParts,
    readonly sessionID: string,
    readonly route: SrtRoute,
  ) {
    this.ended = this.run();
  }

  get isPublishing(): boolean {
    return this.stream?.isPublishing ?? false;
  }

  get hasEncoder(): boolean {
    return this.stream !== undefined;
  }

  private isClosed(): boolean {
    return this.stop.signal.aborted;
  }

  /** Drops the encoder. Safe to call twice. */
  async close(): Promise<void> {
    this.stop.abort();
    this.stream?.close();
    this.process?.kill('SIGKILL');
    await this.ended;
  }

  private async run(): Promise<void> {
    const { clock, logger, report } = this.parts;
    while (!this.isClosed()) {
      const begun = clock.now();
      try {
        await this.serveOne();
      } catch (error) {
        if (error instanceof CallFailure && !this.isClosed()) report(error.problem);
        logger.info({ sessionID: this.sessionID, reason: messageOf(error) }, 'an SRT encoder was refused');
      }
      const pauseMs = this.route.pauseAfter(clock.now() - begun);
      if (pauseMs > 0) await clock.pause(pauseMs, this.stop.signal);
    }
  }

  /** Serves one encoder from its call to its end. Rejects when it may not publish. */
  private async serveOne(): Promise<void> {
    const { route } = this;
    const inputs = await Promise.race([route.inputs(), this.stopped]);
    if (inputs === undefined || this.isClosed()) return;
    const [command, args] = launch(this.parts.ffmpeg, linkArguments);
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.process = child;
    // Before the pipes, which a process without file descriptors does not have.
    const exited = new Promise<void>(resolve => child.once('close', () => resolve()).once('error', () => resolve()));
    const [lines, shownLines] = [new LastLines(10), new LastLines(10)];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (route.mode === 'listener' && text.includes('Incorrect passphrase')) this.reportWrongPassphrase();
      lines.push(text);
      shownLines.push(withoutSecrets(text, route.secrets));
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(inputs);
    try {
      const first = await this.firstOf(child.stdout, exited);
      if (first === undefined) return this.noteEarlyEnd(lines.all(), shownLines.all());
      const stream = await this.parts.admit(() => child.stdout.resume());
      this.stream = stream;
      if (this.isClosed()) stream.close();
      stream.write(first);
      void exited.then(() => stream.close());
      const { problem } = await this.forward(child.stdout, stream);
      if (problem) this.parts.report(problem);
    } finally {
      this.stream = undefined;
      // A paused pipe with media that nobody takes would never close, and `exited` waits for it.
      child.stdout.destroy();
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
    const isLate = lateTicks(clock, lookEveryMs);
    const silence = clock.every(lookEveryMs, () => {
      // This process was blocked, and media may wait.
      if (isLate()) heardAt = clock.now();
      if (clock.now() - heardAt > (source.isPaused() ? stuckMs : silentMs)) stream.close();
    });
    return stream.ended.finally(() => silence.cancel());
  }

  /** Reads the first media. undefined: FFmpeg has ended before. */
  private async firstOf(source: Readable, exited: Promise<void>): Promise<Buffer | undefined> {
    const { clock, report } = this.parts;
    const silence = this.route.mode === 'caller' ? clock.after(noMediaMs, () => report('no_media')) : undefined;
    const first = readOnce(source);
    return Promise.race([first, exited.then(() => undefined)]).finally(() => silence?.cancel());
  }

  private reportWrongPassphrase(): void {
    const now = this.parts.clock.now();
    if (now - this.reportedAt < reportEveryMs) return;
    this.reportedAt = now;
    this.parts.report('wrong_passphrase');
  }

  /** `shownLines` hold no secret. */
  private noteEarlyEnd(lastLines: string[], shownLines: string[]): void {
    if (this.isClosed()) return;
    const { sessionID, route, parts } = this;
    const problem = route.problemOf(lastLines);
    if (problem) return parts.report(problem);
    const { port } = route;
    parts.logger.warn({ sessionID, port, ffmpeg: shownLines }, 'FFmpeg ended before an SRT encoder sent media');
  }
}

/** Reads once, then pauses the stream. */
function readOnce(stream: Readable): Promise<Buffer> {
  return new Promise(resolve => {
    stream.once('data', (data: Buffer) => {
      stream.pause();
      resolve(data);
    });
  });
}

/**
 * Copies what arrives. A reader of NUT has each picture at once: of MPEG-TS, FFmpeg holds two pictures back until it sees the next ones. NUT
 * takes no negative times, which sound before the first picture would have.
 */
const linkArguments = [
  ...['-hide_banner', '-nostats', '-loglevel', 'warning', '-protocol_whitelist', 'pipe,srt,udp'],
  ...['-probesize', `${probeBytes}`, '-analyzeduration', `${analyzeMicroseconds}`],
  ...['-f', 'concat', '-safe', '0', '-i', 'pipe:0', '-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy'],
  ...['-output_ts_offset', '10', '-f', 'nut', '-flush_packets', '1', 'pipe:1'],
];
