import type { PictureSize } from '@rtms/bitstream';
import type { EndReason, RecordingFact, RecordingJobState, StartRecordingRequest } from '@rtms/contracts';
import type { EncoderExit } from '../../encoder/encoder.js';
import { SourceJob, sourceSilentMs, type SourceJobParts } from '../source-job.js';
import type { Feed, TimedFrame } from '../../rtp/source-feed.js';
import { CaptureRun } from './capture-run.js';
import type { PartShape } from '../../rtp/part-shape.js';
import type { Capture, Recorder } from '../../encoder/recorder.js';
import type { RecordingDirectory } from './recording-directory.js';

export interface RecordingJobParts extends SourceJobParts {
  recorder: Recorder;
  directory: RecordingDirectory;
  report(fact: RecordingFact): void;
  /** The recording must end for this reason. The caller stops it. */
  onEnd(reason: EndReason): void;
}

/** A running recording: a feed from the source and successive parts. */
export class RecordingJob extends SourceJob<CaptureRun, RecordingJobParts> {
  private current: RecordingJobState = 'starting';
  private recordedMs = 0;
  private lastMediaAt: number;

  constructor(
    private readonly request: StartRecordingRequest,
    parts: RecordingJobParts,
  ) {
    const { recordingID: feedID, sourceID, sfuNodeID, tracks } = request;
    const needs = { decodes: parts.recorder.decodes.bind(parts.recorder), needsVideo: false };
    super({ feedID, sourceID, sfuNodeID, tracks }, parts, needs);
    this.lastMediaAt = parts.clock.now();
  }

  get recordingID(): string {
    return this.request.recordingID;
  }

  /** Returns `interrupted` only while no media arrives, because the gateway then resumes the job and reopens the feed. */
  get state(): RecordingJobState {
    return this.current === 'interrupted' && this.feed && !this.isSilent ? 'starting' : this.current;
  }

  /** Process id of the recorder, if any. */
  get recorderPid(): number | undefined {
    return this.run?.pid;
  }

  protected get hasEnded(): boolean {
    return this.current === 'processing';
  }

  /** Stops the recording. Resolves after the last write. */
  stop(reason: EndReason): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasEnded) return;
      this.current = 'processing';
      await this.endFeed();
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
    return this.inOrder(async () => {
      this.current = 'processing';
      await this.endFeed();
    });
  }

  protected pause(): void {
    this.become('interrupted', 'source_lost');
  }

  protected beginRun(): void {
    const { feed } = this;
    if (!feed) return;
    const formerShapes = this.parts.directory.notes.parts.map(({ shape }) => shape);
    const { maxSource } = this.request;
    const isCurrent = () => this.run === run;
    const run: CaptureRun = new CaptureRun(
      {
        ...{ codecs: feed.codecs, formerShapes, maxSource },
        begin: (shape, startedAtMs, onExit) => this.beginPart(feed, shape, startedAtMs, onExit),
      },
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

  private async beginPart(
    feed: Feed,
    shape: PartShape,
    startedAtMs: number,
    onExit: (exit: EncoderExit) => void,
  ): Promise<Capture> {
    const path = await this.parts.directory.addPart(shape, startedAtMs);
    const maxPixels = this.request.maxSource?.pixels;
    return this.parts.recorder.capture({ codecs: feed.codecs, shape, path, maxPixels }, onExit);
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
    this.restart(frame);
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
    if (this.failsTooOften()) return this.parts.onEnd('recorder_failed');
    this.beginRun();
  }

  private become(state: 'interrupted', reason: 'source_lost' | 'recorder_lost'): void {
    const wasRecording = this.current === 'recording';
    this.current = state;
    const until = new Date(this.lastMediaAt).toISOString();
    if (wasRecording) this.parts.report({ type: 'recording.interrupted', reason, until });
  }

  protected onTick(): void {
    if (this.run?.isWaiting) this.feed?.requestKeyframe();
    if (this.current !== 'recording' || this.parts.clock.now() - this.lastMediaAt <= sourceSilentMs) return;
    this.become('interrupted', 'source_lost');
    this.endRun();
    this.beginRun();
  }
}
