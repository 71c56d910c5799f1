import type { Requester } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type {
  CodecName,
  EndReason,
  RecordingFact,
  RecordingJobState,
  ResumedSource,
  StartRecordingRequest,
} from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { FrameSize } from '../depacketize/frame.js';
import type { EncoderExit } from '../jobs/encoder/encoder.js';
import { FailureWindow } from '../jobs/failure-window.js';
import type { Feed, OpenFeed, TimedFrame } from '../jobs/source-feed.js';
import { CaptureRun } from './capture-run.js';
import type { PartShape } from './part-shape.js';
import type { Capture, Recorder } from './recorder.js';
import type { RecordingDirectory } from './recording-directory.js';

export interface RecordingJobParts {
  bus: Requester;
  recorder: Recorder;
  directory: RecordingDirectory;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
  report(fact: RecordingFact): void;
  /** It ends by itself; the caller stops it. */
  onEnd(reason: EndReason): void;
}

const mostFailures = 5;
const failureWindowMs = 60_000;
const tickMs = 1_000;
/** Senders of anything send more often than this. */
const sourceSilentMs = 5_000;

/** One recording while media comes in: a feed from the source, one part after the other. */
export class RecordingJob {
  private current: RecordingJobState = 'starting';
  private sfuNodeID: string;
  private feed: Feed | undefined;
  private run: CaptureRun | undefined;
  private recordedMs = 0;
  private lastMediaAt: number;
  /** Of the source, recorded or not; the opening of a feed counts as well. */
  private lastFrameAt: number;
  private readonly failures = new FailureWindow(mostFailures, failureWindowMs);
  private readonly endings = new Set<Promise<void>>();
  private readonly timer: Timer;
  private commands: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly request: StartRecordingRequest,
    private readonly parts: RecordingJobParts,
  ) {
    this.sfuNodeID = request.sfuNodeID;
    this.lastMediaAt = parts.clock.now();
    this.lastFrameAt = this.lastMediaAt;
    this.timer = parts.clock.every(tickMs, () => this.onTick());
  }

  get recordingID(): string {
    return this.request.recordingID;
  }

  /** `interrupted` only while nothing comes in: the gateway resumes such a job, and a resume reopens the feed. */
  get state(): RecordingJobState {
    const isHeard = this.parts.clock.now() - this.lastFrameAt <= sourceSilentMs;
    return this.current === 'interrupted' && this.feed && isHeard ? 'starting' : this.current;
  }

  /** The process that writes, where there is one. */
  get recorderPid(): number | undefined {
    return this.run?.pid;
  }

  /** Resolves when media is on its way; throws as `SourceFeed.opener` says. */
  start(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.feed) await this.openFeed();
    });
  }

  /** The source is lost: what was recorded stays, nothing is added. */
  interrupt(): Promise<void> {
    return this.inTurn(async () => {
      if (this.current === 'processing') return;
      this.become('interrupted', 'source_lost');
      await this.closeFeed();
    });
  }

  /** The source is back. */
  resume({ sfuNodeID, onlyIf }: ResumedSource): Promise<void> {
    return this.inTurn(async () => {
      if (this.current === 'processing' || (onlyIf && this.state !== onlyIf)) return;
      this.sfuNodeID = sfuNodeID;
      this.become('interrupted', 'source_lost');
      await this.closeFeed();
      await this.openFeed();
    });
  }

  /** Nothing is added any more when it resolves. */
  stop(reason: EndReason): Promise<void> {
    return this.inTurn(async () => {
      if (this.current === 'processing') return;
      this.current = 'processing';
      this.timer.cancel();
      await this.closeFeed();
      const until = new Date(this.lastMediaAt).toISOString();
      // A full disk takes no note. Only a crash before the file is made would need the note.
      await this.parts.directory
        .note({ stopped: { reason, until } })
        .catch((err: unknown) => this.parts.logger.error({ err }, 'the end of a recording could not be noted'));
      this.parts.report({ type: 'recording.stopped', reason, until });
    });
  }

  /** Ends it without a word, when it did not begin. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      this.current = 'processing';
      this.timer.cancel();
      await this.closeFeed();
    });
  }

  /** Commands of one recording never overlap. */
  private inTurn(command: () => Promise<void>): Promise<void> {
    const result = this.commands.then(command);
    this.commands = result.catch(() => undefined);
    return result;
  }

  private async openFeed(): Promise<void> {
    const { recordingID: feedID, sourceID, tracks } = this.request;
    const { sfuNodeID } = this;
    const { bus, recorder, clock, openFeed } = this.parts;
    const needs = { decodes: (codec: CodecName) => recorder.decodes(codec), needsVideo: false };
    this.feed = await openFeed(bus, { feedID, sourceID, sfuNodeID, tracks }, needs, {
      onFrame: frame => {
        this.lastFrameAt = clock.now();
        this.run?.onFrame(frame);
      },
      onDamage: () => this.feed?.requestKeyframe(),
    });
    this.lastFrameAt = clock.now();
    this.beginRun();
  }

  private async closeFeed(): Promise<void> {
    const { feed } = this;
    this.feed = undefined;
    this.endRun();
    await Promise.all([feed?.close(), ...this.endings]);
  }

  private beginRun(): void {
    const { feed } = this;
    if (!feed) return;
    const formerShapes = this.parts.directory.notes.parts.map(({ shape }) => shape);
    const { maxSource } = this.request;
    const isCurrent = () => this.run === run;
    const run: CaptureRun = new CaptureRun(
      { codecs: feed.codecs, formerShapes, maxSource, begin: (shape, onExit) => this.beginPart(feed, shape, onExit) },
      {
        onStarted: () => isCurrent() && this.onStarted(),
        onMedia: ms => isCurrent() && this.onMedia(ms),
        onSourceChanged: frame => isCurrent() && this.onSourceChanged(frame),
        onTooLarge: size => isCurrent() && this.onTooLarge(size),
        onFailed: exit => isCurrent() && this.onRecorderFailed(exit),
      },
    );
    this.run = run;
    feed.requestKeyframe();
  }

  private async beginPart(feed: Feed, shape: PartShape, onExit: (exit: EncoderExit) => void): Promise<Capture> {
    const path = await this.parts.directory.addPart(shape);
    const maxPixels = this.request.maxSource?.pixels;
    return this.parts.recorder.capture({ codecs: feed.codecs, shape, path, maxPixels }, onExit);
  }

  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (!run) return;
    const ending = run
      .finish()
      .catch((err: unknown) => this.parts.logger.error({ err }, 'a recorder could not be ended'))
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  private onStarted(): void {
    this.lastMediaAt = this.parts.clock.now();
    if (this.current === 'recording') return;
    this.current = 'recording';
    this.parts.report({ type: 'recording.active', since: new Date(this.lastMediaAt).toISOString() });
  }

  private onMedia(ms: number): void {
    this.lastMediaAt = this.parts.clock.now();
    this.recordedMs += ms;
    if (this.recordedMs >= this.request.maxDurationSeconds * 1000) this.parts.onEnd('max_duration_reached');
  }

  private onSourceChanged(frame: TimedFrame): void {
    this.parts.logger.info({ size: frame.size }, 'the source changed, the recording goes on in a new part');
    this.endRun();
    this.beginRun();
    this.run?.onFrame(frame);
  }

  /** Another attempt would fail as well: what was recorded before is kept. */
  private onTooLarge(size: FrameSize): void {
    const { maxSource } = this.request;
    this.parts.logger.warn({ size, maxSource }, 'the source is larger than its account may have encoded');
    this.parts.onEnd('source_too_large');
  }

  private onRecorderFailed({ code, signal, lastLines }: EncoderExit): void {
    this.parts.logger.error({ code, signal, lastLines }, 'the recorder died');
    this.endRun();
    this.become('interrupted', 'recorder_lost');
    if (this.failures.add(this.parts.clock.now())) return this.parts.onEnd('recorder_failed');
    this.beginRun();
  }

  private become(state: 'interrupted', reason: 'source_lost' | 'recorder_lost'): void {
    const wasRecording = this.current === 'recording';
    this.current = state;
    const until = new Date(this.lastMediaAt).toISOString();
    if (wasRecording) this.parts.report({ type: 'recording.interrupted', reason, until });
  }

  private onTick(): void {
    if (this.run?.isWaiting) this.feed?.requestKeyframe();
    if (this.current !== 'recording' || this.parts.clock.now() - this.lastMediaAt <= sourceSilentMs) return;
    this.become('interrupted', 'source_lost');
    this.endRun();
    this.beginRun();
  }
}
