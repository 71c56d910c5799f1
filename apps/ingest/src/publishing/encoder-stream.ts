import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from '@rtms/clock';
import { messageOf, type Logger } from '@rtms/logging';
import { encoderPlaces, type IngestAdmission, type IngestProblem } from '@rtms/contracts';
import { LastLines, launch, type Ffmpeg } from '@rtms/ffmpeg';
import { endedReasons, keepPublished, WhipPublisher, WhipRefusal, type WhipTarget } from '@rtms/whip-publisher';
import { conversionArguments, planConversion, type ConversionPlan } from './conversion-plan.js';
import { inspectMedia, type Container } from './media-probe.js';
import { RtpPacer } from './rtp-pacer.js';
import { RtspReceiver } from './rtsp-receiver.js';

/** The beginning of a stream is inspected after this time, then again until all kinds are found. */
const inspectEveryMs = 700;
/** An encoder without all kinds after this time is dropped. */
const patienceMs = 8_000;
/** The media of a beginning may claim any duration. */
const longestBeginningMs = 10_000;
/** Some seconds of a high-quality stream. An encoder that sends more before it was understood is dropped. */
const mostBeginningBytes = 16 * 1024 * 1024;
/** FFmpeg reads too slowly above this, and the encoder must wait. */
const mostQueuedBytes = 4 * 1024 * 1024;

/** FFmpeg converts the beginning faster than in real time. Then its packets are those that the encoder sends now. */
const catchUpMs = 900;

const reportEveryMs = 1_000;

export interface EncoderStreamParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  logger: Logger;
  /**
   * Asks the gateway again, because a token is short-lived and tells the SFU about B-frames, and the session may have moved. Rejects once it
   * has ended.
   */
  renew: (media: { hasBFrames: boolean }) => Promise<IngestAdmission>;
  /** FFmpeg has room again for `write`. */
  onDrain: () => void;
}

/** The end of an encoder's stream. `problem`: undefined when the encoder or the session ended it. */
export interface StreamEnd {
  problem?: IngestProblem;
}

/**
 * The media of one connected encoder: inspects its beginning, converts it by FFmpeg, and publishes it by WHIP. While the way to the SFU is
 * lost, conversion continues and packets are dropped.
 */
export class EncoderStream {
  private readonly stop = new AbortController();
  private beginning: Buffer[] = [];
  private beginningBytes = 0;
  private beginningMs = 0;
  private process: ChildProcess | undefined;
  private receiver: RtspReceiver | undefined;
  private publisher: WhipPublisher | undefined;
  private readonly pacer: RtpPacer;
  private profileLevelID: string | undefined;
  private announce: () => void = () => undefined;
  /** FFmpeg knows what it sends. */
  private readonly announced = new Promise<void>(resolve => (this.announce = resolve));
  private isOver = false;
  private problem: IngestProblem | undefined;
  readonly ended: Promise<StreamEnd>;

  constructor(
    private readonly parts: EncoderStreamParts,
    private readonly container: Container,
    private admission: IngestAdmission,
    /** A former connection of this encoder may still count as the publisher for some seconds. */
    private readonly isReturning: boolean,
  ) {
    this.pacer = new RtpPacer(parts.clock, (stream, packet) => this.publisher?.send(stream, packet));
    this.ended = this.run()
      .catch((error: unknown): StreamEnd => {
        this.parts.logger.error({ sessionID: admission.sessionID, reason: messageOf(error) }, 'no process or socket');
        return { problem: 'conversion_failed' };
      })
      .then(({ problem }) => {
        this.release();
        return { problem: this.problem ?? problem };
      });
  }

  /** Of the node's `maxEncoders`. */
  get places(): number {
    return placesOf(this.admission);
  }

  /** Whether the encoder publishes now. */
  get isPublishing(): boolean {
    return this.publisher !== undefined;
  }

  /** Returns false when the encoder should wait for `onDrain`. */
  write(data: Buffer): boolean {
    const stdin = this.process?.stdin;
    if (stdin) {
      if (stdin.writable) stdin.write(data);
      return stdin.writableLength < mostQueuedBytes;
    }
    this.beginning.push(data);
    this.beginningBytes += data.length;
    return this.beginningBytes < mostBeginningBytes;
  }

  /** The encoder has left, or must leave for this problem. Safe to call twice. */
  close(problem?: IngestProblem): void {
    if (this.stop.signal.aborted) return;
    this.problem = problem;
    this.stop.abort();
  }

  private async run(): Promise<StreamEnd> {
    const plan = await this.plan();
    if (plan === undefined) return {};
    if (typeof plan === 'string') return { problem: plan };
    const failed = this.convert(plan);
    const published = this.publish(plan);
    const stopped = new Promise<StreamEnd>(resolve => {
      if (this.stop.signal.aborted) resolve({});
      this.stop.signal.addEventListener('abort', () => resolve({}), { once: true });
    });
    return Promise.race([failed, published, stopped]);
  }

  /** undefined: the encoder left before. */
  private async plan(): Promise<ConversionPlan | IngestProblem | undefined> {
    const { clock, ffmpeg } = this.parts;
    const { tracks: kinds, maxSource, webrtcRenditions } = this.admission;
    const wish = { container: this.container, kinds, maxSource, webrtcRenditions };
    const begunAt = clock.now();
    for (;;) {
      await clock.pause(inspectEveryMs, this.stop.signal);
      if (this.stop.signal.aborted) return undefined;
      const media = await inspectMedia(ffmpeg, this.container, Buffer.concat(this.beginning), clock);
      this.beginningMs = Math.min(Math.max(media.durationMs ?? 0, clock.now() - begunAt), longestBeginningMs);
      const plan = planConversion(media, wish, ffmpeg);
      const mayComplete = plan === 'no_media' || plan === 'track_missing';
      if (!mayComplete || clock.now() > begunAt + patienceMs || this.beginningBytes >= mostBeginningBytes) return plan;
    }
  }

  /** Resolves when the conversion has failed. */
  private async convert(plan: ConversionPlan): Promise<StreamEnd> {
    const { ffmpeg, logger, onDrain } = this.parts;
    this.receiver = await RtspReceiver.open({
      onMedia: profileLevelID => {
        this.profileLevelID = profileLevelID;
        this.announce();
      },
      onPacket: (stream, packet) => this.pacer.add(stream, packet),
      onReport: (stream, report) => this.pacer.report(stream, report),
    });
    if (this.isOver) return this.release();
    const [command, args] = launch(ffmpeg, conversionArguments(plan, this.receiver.address, this.beginningMs));
    const process = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    this.process = process;
    const lines = new LastLines(10);
    // Before the pipes, which a process without file descriptors does not have.
    const ended = new Promise<void>(resolve => {
      process.once('error', error => {
        lines.push(`${error.message}\n`);
        resolve();
      });
      process.once('close', () => resolve());
    });
    process.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    process.stdin.on('drain', onDrain).on('error', () => undefined);
    process.stdin.write(Buffer.concat(this.beginning));
    this.beginning = [];
    await ended;
    if (this.stop.signal.aborted) return {};
    const { sessionID } = this.admission;
    logger.warn({ sessionID, ffmpeg: lines.all() }, 'the conversion of an encoder’s media failed');
    return { problem: 'conversion_failed' };
  }

  /** Resolves when the session has ended, or cannot be published. */
  private async publish({ kinds, hasBFrames = false, renditions }: ConversionPlan): Promise<StreamEnd> {
    const { clock, logger } = this.parts;
    const { signal } = this.stop;
    await this.announced;
    const { profileLevelID } = this;
    if (!isPublishable(profileLevelID)) return { problem: 'codec_unsupported' };
    const [target] = await Promise.all([this.firstTarget(hasBFrames), clock.pause(catchUpMs, signal)]);
    if (!target) return {};
    this.pacer.start();
    try {
      await keepPublished({
        ...{ clock, signal, isReturning: this.isReturning, target },
        renew: () => this.renew(hasBFrames),
        open: () => new WhipPublisher({ clock, kinds, profileLevelID, layers: 1 + renditions.length }),
        send: async publisher => {
          this.publisher = publisher;
          const reports = renditions.length > 0 ? clock.every(reportEveryMs, () => this.report()) : undefined;
          await publisher.lost;
          reports?.cancel();
          this.publisher = undefined;
        },
        onProblem: error =>
          logger.info({ sessionID: this.admission.sessionID, reason: messageOf(error) }, 'no way to the SFU, retrying'),
      });
      return {};
    } catch (error) {
      return { problem: error instanceof WhipRefusal ? problemOf(error.reason) : undefined };
    }
  }

  /** Without reports the SFU does not know which pictures of the layers belong together, and keeps to one layer. */
  private report(): void {
    for (const [stream, time] of this.pacer.timesNow()) this.publisher?.report(stream, time);
  }

  /** The first token is older than the knowledge of B-frames. Without an answer, the SFU finds them by the packets. */
  private async firstTarget(hasBFrames: boolean): Promise<WhipTarget | undefined> {
    const former = targetOf(this.admission);
    return hasBFrames ? this.renew(hasBFrames).catch(() => former) : former;
  }

  private async renew(hasBFrames: boolean): Promise<WhipTarget | undefined> {
    try {
      this.admission = await this.parts.renew({ hasBFrames });
      return targetOf(this.admission);
    } catch (error) {
      const reason = (error as { failure?: { reason?: string } }).failure?.reason ?? '';
      if ([...endedReasons, 'invalid_credentials', 'token_expired'].includes(reason)) return undefined;
      throw error;
    }
  }

  private release(): StreamEnd {
    this.isOver = true;
    this.stop.abort();
    this.pacer.close();
    this.publisher?.close();
    this.publisher = undefined;
    this.process?.kill('SIGKILL');
    this.receiver?.close();
    this.beginning = [];
    return {};
  }
}

export function placesOf({ webrtcRenditions = false }: IngestAdmission): number {
  return webrtcRenditions ? encoderPlaces.withRenditions : encoderPlaces.usual;
}

/** Baseline, main and high: browsers decode no other profile of H264. */
function isPublishable(profileLevelID: string | undefined): boolean {
  return profileLevelID === undefined || /^(?:42|4d|64)/.test(profileLevelID);
}

function targetOf({ whipUrl: url, token }: IngestAdmission): WhipTarget {
  return { url, token };
}

/** undefined: the session has ended, or the encoder may try again. */
function problemOf(reason: string): IngestProblem | undefined {
  if (reason === 'unacceptable_offer') return 'track_missing';
  return reason === 'already_publishing' ? reason : undefined;
}
