import type {
  ComposedSource,
  CompositionStyle,
  EndReason,
  RecordingJobState,
  ResumedSource,
  StartRecordingRequest,
  ComposedRoom,
} from '@rtms/contracts';
import type { Timer } from '@rtms/clock';
import { SerialQueue } from '@rtms/node';
import { Composition, type BegunRun } from '../../composition/composition.js';
import type { EncoderExit, Scene } from '../../encoder/encoder.js';
import type { PartShape } from '../../rtp/part-shape.js';
import type { RecordingJobParts } from './recording-job.js';
import { Failures } from '../job-limits.js';

export interface ComposedRecordingRequest extends StartRecordingRequest {
  composition: CompositionStyle & ComposedRoom;
}

const tickMs = 1_000;

/** A running recording of a room: its composition and successive parts. Executes its commands one after the other. */
export class ComposedRecordingJob {
  private current: RecordingJobState = 'starting';
  private readonly composition: Composition;
  private readonly commands = new SerialQueue();
  private readonly timer: Timer;
  private readonly failures = new Failures();

  constructor(
    private readonly request: ComposedRecordingRequest,
    private readonly parts: RecordingJobParts,
  ) {
    const { bus, openFeed, clock, logger, recorder } = parts;
    const { composition, maxSource, recordingID: jobID } = request;
    const { sources, speakerID, ...style } = composition;
    this.composition = new Composition(
      style,
      { sources: this.recorded(sources), ...(speakerID !== undefined && { speakerID }) },
      {
        ...{ jobID, bus, openFeed, clock, logger, maxSource },
        decodes: codec => recorder.decodes(codec),
        begin: (scene, beginMs, onExit) => this.beginPart(scene, beginMs, onExit),
      },
      { onBegan: beginMs => this.onBegan(beginMs), onFailed: exit => this.onFailed(exit) },
    );
    this.timer = clock.every(tickMs, () => this.onTick());
  }

  get state(): RecordingJobState {
    return this.current;
  }

  get recorderPid(): number | undefined {
    return this.composition.pid;
  }

  start(): Promise<void> {
    return this.inOrder(async () => {
      await this.reportMissingNames();
      this.composition.start();
    });
  }

  compose(room: ComposedRoom): Promise<void> {
    const sources = this.recorded(room.sources);
    return this.inOrder(() => Promise.resolve(this.composition.compose({ ...room, sources })));
  }

  /** A recording of sound alone decodes no picture. */
  private recorded(sources: readonly ComposedSource[]): ComposedSource[] {
    const { tracks } = this.request;
    return sources.map(source => ({ ...source, tracks: source.tracks.filter(kind => tracks.includes(kind)) }));
  }

  interrupt(): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasEnded) return;
      this.becomeInterrupted('source_lost');
      await this.composition.pause();
    });
  }

  resume({ onlyIf }: Pick<ResumedSource, 'onlyIf'>): Promise<void> {
    return this.inOrder(() => {
      if (!this.hasEnded && (!onlyIf || this.current === onlyIf)) this.composition.start();
      return Promise.resolve();
    });
  }

  /** Stops the recording. Resolves after the last write. */
  stop(reason: EndReason): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasEnded) return;
      const until = new Date(this.parts.clock.now()).toISOString();
      await this.end();
      await this.parts.directory
        .note({ stopped: { reason, until } })
        .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot save the note of a stopped recording'));
      this.parts.report({ type: 'recording.stopped', reason, until });
    });
  }

  /** Closes a recording that failed to start, without a report. */
  close(): Promise<void> {
    return this.inOrder(() => this.end());
  }

  private inOrder(command: () => Promise<void>): Promise<void> {
    return this.commands.run(command);
  }

  private get hasEnded(): boolean {
    return this.current === 'processing';
  }

  private async end(): Promise<void> {
    this.current = 'processing';
    this.timer.cancel();
    await this.composition.close();
  }

  private async reportMissingNames(): Promise<void> {
    const { logger, recorder } = this.parts;
    if (this.request.composition.nameTagsColor === undefined || (await recorder.hasNameTags())) return;
    logger.warn('names are not shown: FFmpeg has no drawtext filter, or the font DejaVu Sans is not installed');
  }

  private async beginPart(scene: Scene, beginMs: number, onExit: (exit: EncoderExit) => void): Promise<BegunRun> {
    const { directory, recorder } = this.parts;
    const { width, height } = scene.style;
    const { tracks, maxSource } = this.request;
    const isAudioOnly = !tracks.includes('video');
    const shape: PartShape = {
      hasAudio: true,
      ...(!isAudioOnly && { video: { codec: 'h264', size: { width, height } } }),
    };
    const path = await directory.addPart(shape, beginMs);
    const capture = await recorder.compose({ ...scene, isAudioOnly, maxPixels: maxSource?.pixels }, path, onExit);
    return {
      capture,
      onEnded: async seconds => {
        if (seconds !== undefined) await directory.endPart(path, seconds);
      },
    };
  }

  private onBegan(beginMs: number): void {
    if (this.current === 'recording' || this.hasEnded) return;
    this.current = 'recording';
    this.parts.report({ type: 'recording.active', since: new Date(beginMs).toISOString() });
  }

  private onFailed({ code, signal, lastLines }: EncoderExit): void {
    if (this.hasEnded) return;
    const { logger, clock } = this.parts;
    logger.error({ code, signal, lastLines }, 'recorder exited unexpectedly');
    this.becomeInterrupted('recorder_lost');
    if (this.failures.add(clock.now())) this.parts.onEnd('recorder_failed');
  }

  private becomeInterrupted(reason: 'source_lost' | 'recorder_lost'): void {
    const wasRecording = this.current === 'recording';
    this.current = 'interrupted';
    const until = new Date(this.parts.clock.now()).toISOString();
    if (wasRecording) this.parts.report({ type: 'recording.interrupted', reason, until });
  }

  private onTick(): void {
    if (this.composition.mediaMs >= this.request.maxDurationSeconds * 1000) this.parts.onEnd('max_duration_reached');
  }
}
