import type { ComposedRoom, CompositionStyle, EndReason, ResumedSource, StartBroadcastRequest } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { Composition, type BegunRun } from '../../composition/composition.js';
import type { EncoderExit, Scene } from '../../encoder/encoder.js';
import { composedFrameRate } from '../../encoder/graph/composed-graph.js';
import { partPlanOf } from '../../delivery/presentation/presentation-options.js';
import type { BroadcastJobParts } from './broadcast-job.js';
import { BroadcastStatus, type JobState } from './broadcast-status.js';
import { renditionLadder } from './rendition-ladder.js';
import { SegmentPublisher } from './segment-publisher.js';
import type { SourceProfile } from './source-profile.js';
import { Failures } from '../job-limits.js';

export interface ComposedBroadcastRequest extends StartBroadcastRequest {
  composition: CompositionStyle & ComposedRoom;
}

/** One broadcast of a room on this node: its composition, successive runs of the encoder, and a presentation. */
export class ComposedBroadcastJob {
  private readonly status: BroadcastStatus;
  private readonly composition: Composition;
  private readonly profile: SourceProfile;
  private readonly commands = new SerialQueue();
  private runCount = 0;
  /** Number of the run that published last. Segments of earlier runs are dropped. */
  private publishingOrder = 0;
  /** Of FFmpeg or of the store. */
  private readonly failures = new Failures();
  /** Store writes in progress. */
  private readonly publishes = new Set<Promise<void>>();

  constructor(
    private readonly request: ComposedBroadcastRequest,
    private readonly parts: BroadcastJobParts,
  ) {
    const { bus, openFeed, clock, logger, encoder } = parts;
    const { composition, maxSource, maxHeight, broadcastID: jobID } = request;
    const { sources, speakerID, ...style } = composition;
    const size = { width: style.width, height: style.height };
    const shape = { ...size, framesPerSecond: composedFrameRate, ...(maxHeight !== undefined && { maxHeight }) };
    const ladder = renditionLadder(shape, Math.max(1, request.continues?.renditions ?? 1));
    this.profile = { size, frameRate: { numerator: composedFrameRate, denominator: 1 }, ladder };
    this.status = new BroadcastStatus(fact => parts.report(fact));
    this.composition = new Composition(
      style,
      { sources, ...(speakerID !== undefined && { speakerID }) },
      {
        ...{ jobID, bus, openFeed, clock, logger, maxSource },
        decodes: codec => encoder.decodes(codec),
        begin: (scene, beginMs, onExit) => this.beginRun(scene, beginMs, onExit),
      },
      {
        onBegan: () => undefined,
        onFailed: exit => this.onFailed(exit),
        onWaited: ms => parts.presentation.pace.noteSilence(ms),
      },
    );
  }

  get state(): JobState {
    return this.status.state;
  }

  get encoderPid(): number | undefined {
    return this.composition.pid;
  }

  start(): Promise<void> {
    return this.inOrder(() => this.composition.start());
  }

  /** Handles a repeated start from a gateway that lost this node. */
  startAgain({ composition }: StartBroadcastRequest): Promise<void> {
    return this.inOrder(() => {
      if (this.status.hasEnded) return;
      if (composition) this.composition.compose(composition);
      this.composition.start();
      if (this.status.state === 'active') this.status.reportActive(this.parts.presentation.renditions());
    });
  }

  compose(room: ComposedRoom): Promise<void> {
    return this.inOrder(() => this.composition.compose(room));
  }

  interrupt(): Promise<void> {
    return this.inOrder(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.composition.pause();
    });
  }

  resume({ onlyIf }: Pick<ResumedSource, 'onlyIf'>): Promise<void> {
    return this.inOrder(() => {
      if (!this.status.hasEnded && (!onlyIf || this.state === onlyIf)) this.composition.start();
    });
  }

  /** Stops because another node continues. Publishes the last segments, but no end tag. */
  handOver(): Promise<void> {
    return this.inOrder(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.composition.close();
      await Promise.all(this.publishes);
      this.status.end();
      this.parts.presentation.handOver();
    });
  }

  /** Ends the broadcast. Safe to call twice. */
  stop(): Promise<void> {
    return this.inOrder(async () => {
      this.status.end();
      await this.composition.close();
      this.parts.presentation.end();
    });
  }

  private inOrder(command: () => Promise<void> | void): Promise<void> {
    return this.commands.run(async () => command());
  }

  private async beginRun(scene: Scene, beginMs: number, onExit: (exit: EncoderExit) => void): Promise<BegunRun> {
    const { encoder, presentation } = this.parts;
    const { frameRate, ladder: video } = this.profile;
    const order = ++this.runCount;
    const run = { ...this.profile, startsAt: new Date(beginMs), order };
    const publisher = new SegmentPublisher(presentation, run, { audio: { channels: 2 } });
    const { broadcastID, maxSource } = this.request;
    const { segmentSeconds } = presentation.options;
    const capture = await encoder.compose(
      { ...scene, maxPixels: maxSource?.pixels },
      { broadcastID, segmentSeconds, ...partPlanOf(presentation.options), frameRate, video, hasAudio: true },
      {
        onInit: (name, bytes) => this.publish(publisher, () => publisher.addInit(name, bytes)),
        onPart: (name, part) => this.publish(publisher, () => publisher.addPart(name, part)),
        onSegment: (name, segment) => this.publish(publisher, () => publisher.addSegment(name, segment)),
        onExit,
      },
    );
    return { capture, onEnded: () => Promise.resolve() };
  }

  private publish(publisher: SegmentPublisher, add: () => Promise<void>): void {
    const publish = this.add(publisher, add).finally(() => this.publishes.delete(publish));
    this.publishes.add(publish);
  }

  private async add(publisher: SegmentPublisher, add: () => Promise<void>): Promise<void> {
    if (publisher.order < this.publishingOrder || this.status.hasEnded) return;
    this.publishingOrder = publisher.order;
    try {
      await add();
    } catch (err) {
      this.parts.logger.error({ err }, 'cannot store a segment');
      return this.countFailure();
    }
    const isCurrent = publisher.order === this.runCount || this.status.state === 'starting';
    if (isCurrent && publisher.hasPublished) this.status.becomeActive(this.parts.presentation.renditions());
  }

  private onFailed({ code, signal, lastLines }: EncoderExit): void {
    if (this.status.hasEnded) return;
    this.parts.logger.error({ code, signal, lastLines }, 'encoder exited unexpectedly');
    this.status.becomeInterrupted('encoder_lost');
    this.countFailure();
  }

  private countFailure(): void {
    if (this.failures.add(this.parts.clock.now())) this.fail('encoder_failed');
  }

  private fail(reason: EndReason): void {
    if (this.status.hasEnded) return;
    this.status.fail(reason);
    void this.stop().finally(() => this.parts.onFailed());
  }
}
