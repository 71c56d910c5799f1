import type { PictureSize } from '@rtms/bitstream';
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
import { SerialQueue } from '@rtms/node';
import type { EncoderExit } from '../../encoder/encoder.js';
import { FailureWindow } from '../job-limits.js';
import type { Feed, OpenFeed, TimedFrame } from '../../rtp/source-feed.js';
import { CaptureRun } from './capture-run.js';
import type { PartShape } from '../../encoder/part-shape.js';
import type { Capture, Recorder } from '../../encoder/recorder.js';
import type { RecordingDirectory } from './recording-directory.js';

export interface RecordingJobParts {
  bus: Requester;
  recorder: Recorder;
  directory: RecordingDirectory;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
  report(fact: RecordingFact): void;
  /** The recording must end for this reason. The caller stops it. */
  onEnd(reason: EndReason): void;
}

const mostFailures = 5;
const failureWindowMs = 60_000;
const tickMs = 1_000;
/** Senders of any media send more often than this. */
const sourceSilentMs = 5_000;

/** A running recording: a feed from the source and successive parts. */
export class RecordingJob {
  private current: RecordingJobState = 'starting';
  private sfuNodeID: string;
  private feed: Feed | undefined;
  private run: CaptureRun | undefined;
  private recordedMs = 0;
  private lastMediaAt: number;
  /** Time of the last frame, recorded or not, or of the opening of the feed. */
  private lastFrameAt: number;
  private readonly failures = new FailureWindow(mostFailures, failureWindowMs);
  private readonly endings = new Set<Promise<void>>();
  private readonly timer: Timer;
  /** Serialises the commands of the recording. */
  private readonly commands = new SerialQueue();

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

  /** Returns `interrupted` only while no media arrives, because the gateway then resumes the job and reopens the feed. */
  get state(): RecordingJobState {
    const isHeard = this.parts.clock.now() - this.lastFrameAt <= sourceSilentMs;
    return this.current === 'interrupted' && this.feed && isHeard ? 'starting' : this.current;
  }

  /** Process id of the recorder, if any. */
  get recorderPid(): number | undefined {
    return this.run?.pid;
  }

  /** Opens the feed. Throws the errors of `SourceFeed.opener`. */
  start(): Promise<void> {
    return this.commands.run(async () => {
      if (!this.feed) await this.openFeed();
    });
  }

  /** Closes the feed because the source is lost. Recorded parts remain. */
  interrupt(): Promise<void> {
    return this.commands.run(async () => {
      if (this.current === 'processing') return;
      this.become('interrupted', 'source_lost');
      await this.closeFeed();
    });
  }

  /** Opens the feed again. */
  resume({ sfuNodeID, onlyIf }: ResumedSource): Promise<void> {
    return this.commands.run(async () => {
      if (this.current === 'processing' || (onlyIf && this.state !== onlyIf)) return;
      this.sfuNodeID = sfuNodeID;
      this.become('interrupted', 'source_lost');
      await this.closeFeed();
      await this.openFeed();
    });
  }

  /** Stops the recording. Resolves after the last write. */
  stop(reason: EndReason): Promise<void> {
    return this.commands.run(async () => {
      if (this.current === 'processing') return;
      this.current = 'processing';
      this.timer.cancel();
      await this.closeFeed();
      const until = new Date(this.lastMediaAt).toISOString();
      // The note cannot be saved on a full disk. It is needed only after a crash before the file is finished.
      await this.parts.directory
        .note({ stopped: { reason, until } })
        .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot save the note of a stopped recording'));
      this.parts.report({ type: 'recording.stopped', reason, until });
    });
  }

  /** Closes a recording that failed to start, without a report. */
  close(): Promise<void> {
    return this.commands.run(async () => {
      this.current = 'processing';
      this.timer.cancel();
      await this.closeFeed();
    });
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
      .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot end a recorder'))
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
    this.parts.logger.info({ size: frame.size }, 'source changed, starting a new part');
    this.endRun();
    this.beginRun();
    this.run?.onFrame(frame);
  }

  /** Ends the recording, because a retry would fail too. Earlier parts are kept. */
  private onTooLarge(size: PictureSize): void {
    const { maxSource } = this.request;
    this.parts.logger.warn({ size, maxSource }, 'source exceeds the limits of its account');
    this.parts.onEnd('source_too_large');
  }

  private onRecorderFailed({ code, signal, lastLines }: EncoderExit): void {
    this.parts.logger.error({ code, signal, lastLines }, 'recorder exited unexpectedly');
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
