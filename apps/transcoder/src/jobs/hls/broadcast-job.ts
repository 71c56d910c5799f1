import type { PictureSize } from '@rtms/bitstream';
import type { BroadcastFact, EndReason, StartBroadcastRequest } from '@rtms/contracts';
import { BroadcastStatus, type JobState } from './broadcast-status.js';
import {
  bestRenditionName,
  type Encoder,
  type EncoderExit,
  type FinishedPart,
  type FinishedSegment,
  type Still,
} from '../../encoder/encoder.js';
import { EncodingRun } from './encoding-run.js';
import { SourceJob, type SourceJobParts } from '../source-job.js';
import type { Presentation } from '../../delivery/presentation/presentation.js';
import { partPlanOf } from '../../delivery/presentation/presentation-options.js';
import { resizeIntervalMs } from './size-watch.js';
import type { SourceProfile } from './source-profile.js';
import { SegmentPublisher } from './segment-publisher.js';
import { SlateImage, type LoadSlate } from './slate/slate-image.js';
import { Slate, slateAfterMs } from './slate/slate.js';
import { withSound, type FeedCodecs, type TimedFrame } from '../../rtp/source-feed.js';

export interface BroadcastJobParts extends SourceJobParts {
  encoder: Encoder;
  presentation: Presentation;
  loadSlate: LoadSlate;
  report(fact: BroadcastFact): void;
  /** Called once after the job has failed, reported the failure and closed its resources. */
  onFailed(): void;
}

interface ShownRun {
  profile: SourceProfile;
  codecs: FeedCodecs;
  senderLeadMs: number;
  publisher: SegmentPublisher;
}

/** ms to wait for the last segments of a run before its slate starts. Players have two segments more. */
const lastSegmentsMs = 1_000;

/** One broadcast on this node: a feed from the source, successive encoder runs, and a presentation. */
export class BroadcastJob extends SourceJob<EncodingRun, BroadcastJobParts> {
  private readonly status: BroadcastStatus;
  private runCount = 0;
  /** Number of the run that published last. Segments of earlier runs are dropped. */
  private publishingOrder = 0;
  /** Number of renditions that players may be using. */
  private fewestRenditions: number;
  private resizableFromMs = 0;
  /** The last run that published. Its slate has the same renditions. */
  private shown: ShownRun | undefined;
  private slate: { order: number; slate: Slate } | undefined;
  private readonly slateImage: SlateImage;
  /** Store writes in progress. */
  private readonly publishes = new Set<Promise<void>>();

  constructor(
    readonly request: StartBroadcastRequest,
    parts: BroadcastJobParts,
  ) {
    const { broadcastID: feedID, sourceID, sfuNodeID, tracks } = request;
    const needs = { decodes: parts.encoder.decodes.bind(parts.encoder), needsVideo: true };
    super({ feedID, sourceID, sfuNodeID, tracks }, parts, needs);
    this.fewestRenditions = Math.max(1, request.continues?.renditions ?? 1);
    this.status = new BroadcastStatus(fact => parts.report(fact));
    this.slateImage = new SlateImage(request.slate, problem => this.status.noteSlateProblem(problem), parts);
  }

  override start(): Promise<void> {
    this.slateImage.start();
    return super.start();
  }

  /**
   * Returns `interrupted` only while no video arrives. The gateway resumes an interrupted job, and a resume would end an
   * encoder that is about to publish.
   */
  get state(): JobState {
    const { state } = this.status;
    return state === 'interrupted' && this.feed && !this.isSilent ? 'starting' : state;
  }

  protected get hasEnded(): boolean {
    return this.status.hasEnded;
  }

  /** Process id of the encoder, if any. */
  get encoderPid(): number | undefined {
    return this.run?.encoderPid;
  }

  /** Handles a repeated start from a gateway that lost this node: reports an active job again and resumes an interrupted one. */
  startAgain({ sfuNodeID }: StartBroadcastRequest): Promise<void> {
    const isElsewhere = sfuNodeID !== this.sfuNodeID;
    if (this.status.state === 'interrupted' || isElsewhere) return this.resume({ sfuNodeID });
    if (this.status.state === 'active') this.status.reportActive(this.parts.presentation.renditions());
    return Promise.resolve();
  }

  /** Stops because another node continues. Publishes the last segments, but no end tag. */
  handOver(): Promise<void> {
    return this.inOrder(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.endFeed();
      await Promise.all(this.publishes);
      this.status.end();
      this.parts.presentation.handOver();
    });
  }

  /** Ends the broadcast. Safe to call twice. */
  stop(): Promise<void> {
    return this.inOrder(async () => {
      this.status.end();
      await this.endFeed();
      this.parts.presentation.end();
    });
  }

  protected pause(): void {
    this.status.pause();
  }

  protected override onInterrupted(isMoved: boolean): void {
    this.showSlate(isMoved);
  }

  /** With `profile`, the new encoder starts before the next keyframe arrives. */
  protected beginRun(profile?: SourceProfile): void {
    const { feed } = this;
    if (!feed) return;
    const order = ++this.runCount;
    const codecs = withSound(feed.codecs, this.request.tracks);
    let publisher: SegmentPublisher | undefined;
    let shown: typeof this.shown;
    const isCurrent = () => this.run === run;
    const publishing = this.publishing(() => publisher, isCurrent);
    const run: EncodingRun = new EncodingRun(this.parts.encoder, this.parts.clock, this.runOptions(codecs, profile), {
      ...publishing,
      onStarted: (started, firstFrameMs) => {
        this.fewestRenditions = started.ladder.length;
        const startsAt = new Date(feed.senderTimeOf(firstFrameMs));
        publisher = new SegmentPublisher(this.parts.presentation, { ...started, startsAt, order }, codecs);
        shown = { profile: started, codecs, senderLeadMs: startsAt.getTime() - firstFrameMs, publisher };
      },
      onInit: (name, bytes) => {
        if (isCurrent()) {
          this.parts.presentation.pace.regainSource();
          this.hideSlate();
        } else if (this.slate && this.slate.order < order) {
          // The source was lost again before this run published. Its rest would end the slate.
          publisher = undefined;
          return;
        }
        this.shown = shown;
        publishing.onInit(name, bytes);
      },
      onSourceChanged: (reason, frame) => isCurrent() && this.onSourceChanged(reason, frame),
      onTooLarge: size => isCurrent() && this.onTooLarge(size),
      onFailed: exit => isCurrent() && this.onEncoderFailed(exit),
    });
    this.run = run;
    feed.requestKeyframe();
  }

  /** Publishes the last picture until another run publishes, so that players neither stall nor give up. */
  private showSlate(isMoved = false): void {
    const { shown } = this;
    this.parts.presentation.pace.loseSource(this.silentMs, isMoved);
    if (this.slate || !shown || this.status.hasEnded) return;
    const { profile, codecs, senderLeadMs } = shown;
    const { encoder, presentation, clock, logger } = this.parts;
    const order = ++this.runCount;
    const startsAt = new Date(clock.now() + senderLeadMs);
    const publisher = new SegmentPublisher(presentation, { ...profile, startsAt, order, isSlate: true }, codecs);
    const streams = { video: profile.ladder, hasAudio: codecs.audio !== undefined };
    const plan = { ...this.segmentPlan, ...streams };
    const listener = this.publishing(() => publisher);
    this.slate = { order, slate: new Slate(encoder, plan, this.picture(shown), listener, logger) };
  }

  /** Publishes what an encoder makes. `isCurrent`: whether its failures are those of the broadcast. */
  private publishing(publisherOf: () => SegmentPublisher | undefined, isCurrent = () => false) {
    const add = (to: (publisher: SegmentPublisher) => Promise<void>) =>
      this.remember(this.publish(publisherOf(), isCurrent, to));
    return {
      onInit: (name: string, bytes: Buffer) => add(to => to.addInit(name, bytes)),
      onPart: (name: string, part: FinishedPart) => add(to => to.addPart(name, part)),
      onSegment: (name: string, segment: FinishedSegment) => add(to => to.addSegment(name, segment)),
    };
  }

  /** Waits for the last segments of the ended run, so that the slate follows them. Without an image it shows their picture. A run without a segment leaves the picture of the slate before it. */
  private async picture(shown: ShownRun): Promise<Still | undefined> {
    const { clock, presentation } = this.parts;
    const waiting = new AbortController();
    await Promise.race([Promise.all(this.endings), clock.pause(lastSegmentsMs, waiting.signal)]);
    waiting.abort();
    await Promise.all(this.publishes);
    const { still } = this.slateImage;
    if (still) return still;
    const segment = await presentation.lastSegment(bestRenditionName);
    return segment && { segment, isDimmed: shown.publisher.hasPublished };
  }

  private hideSlate(): void {
    void this.slate?.slate.close();
    this.slate = undefined;
  }

  protected override async endFeed(): Promise<void> {
    this.slateImage.close();
    await super.endFeed();
    await this.slate?.slate.close();
    this.slate = undefined;
  }

  private runOptions(codecs: FeedCodecs, profile: SourceProfile | undefined) {
    const { maxHeight, maxSource } = this.request;
    const { fewestRenditions, resizableFromMs } = this;
    return {
      ...{ ...this.segmentPlan, codecs, fewestRenditions, resizableFromMs },
      ...(maxHeight !== undefined && { maxHeight }),
      ...(maxSource && { maxSource }),
      ...(profile && { profile }),
    };
  }

  private get segmentPlan() {
    const { options } = this.parts.presentation;
    const { segmentSeconds } = options;
    return { broadcastID: this.request.broadcastID, segmentSeconds, ...partPlanOf(options) };
  }

  private remember(publish: Promise<void>): void {
    const remembered = publish.finally(() => this.publishes.delete(remembered));
    this.publishes.add(remembered);
  }

  private async publish(
    publisher: SegmentPublisher | undefined,
    isCurrent: () => boolean,
    add: (publisher: SegmentPublisher) => Promise<void>,
  ): Promise<void> {
    if (!publisher || publisher.order < this.publishingOrder || this.status.hasEnded) return;
    this.publishingOrder = publisher.order;
    try {
      await add(publisher);
    } catch (error) {
      this.parts.logger.error({ err: error }, 'cannot store a segment');
      if (isCurrent()) this.onEncoderFailed({ expected: false, code: null, signal: null, lastLines: [] });
      return;
    }
    if (isCurrent() && publisher.hasPublished) this.status.becomeActive(this.parts.presentation.renditions());
  }

  private onSourceChanged(reason: 'size' | 'time', frame: TimedFrame): void {
    this.parts.logger.info({ reason, size: frame.size }, 'source changed, restarting the encoder');
    if (reason === 'size') this.resizableFromMs = frame.timeMs + resizeIntervalMs;
    this.restart(frame);
  }

  /** Ends the broadcast, because a retry would fail too. */
  private onTooLarge(size: PictureSize): void {
    this.parts.logger.warn({ size, maxSource: this.request.maxSource }, 'source exceeds the limits of its account');
    this.fail('source_too_large');
  }

  private onEncoderFailed({ code, signal, lastLines }: EncoderExit): void {
    this.parts.logger.error({ code, signal, lastLines }, 'encoder exited unexpectedly');
    const profile = this.run?.encodedProfile;
    this.endRun();
    this.status.becomeInterrupted('encoder_lost');
    if (this.failsTooOften()) return this.fail('encoder_failed');
    this.beginRun(profile);
  }

  private fail(reason: EndReason): void {
    this.status.fail(reason);
    void this.stop().finally(() => this.parts.onFailed());
  }

  protected onTick(): void {
    this.slateImage.retryWhenDue();
    if (this.run?.isWaitingForKeyframe) this.feed?.requestKeyframe();
    const { segmentSeconds } = this.parts.presentation.options;
    if (this.feed && this.shown && !this.slate && this.silentMs > slateAfterMs(segmentSeconds)) this.bridge();
    if (!this.isSilent || this.status.state !== 'active') return;
    this.status.becomeInterrupted('source_lost');
    this.endRun();
    this.beginRun();
  }

  /** The source may return at once, so the state stays. Its next keyframe begins another run. */
  private bridge(): void {
    this.endRun();
    this.showSlate();
    this.beginRun();
  }
}
