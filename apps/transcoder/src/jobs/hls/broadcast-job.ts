import type { PictureSize } from '@rtms/bitstream';
import type { Requester } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { BroadcastFact, CodecName, EndReason, ResumedSource, StartBroadcastRequest } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import { BroadcastStatus, type JobState } from './broadcast-status.js';
import type { Encoder, EncoderExit } from '../../encoder/encoder.js';
import { EncodingRun } from './encoding-run.js';
import { FailureWindow } from '../job-limits.js';
import type { Presentation } from '../../delivery/presentation/presentation.js';
import { resizeIntervalMs } from './size-watch.js';
import type { SourceProfile } from './source-profile.js';
import { SegmentPublisher } from './segment-publisher.js';
import { withSound, type Feed, type FeedCodecs, type OpenFeed, type TimedFrame } from '../../rtp/source-feed.js';

export interface BroadcastJobParts {
  bus: Requester;
  encoder: Encoder;
  presentation: Presentation;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
  report(fact: BroadcastFact): void;
  /** Called once after the job has failed, reported the failure and closed its resources. */
  onFailed(): void;
}

/** Encoder failures in the window after which the broadcast fails. */
const mostFailures = 5;
const failureWindowMs = 60_000;
const keyframeRetryMs = 1_000;
/** Senders repeat even a still picture more often than this. */
const sourceSilentMs = 5_000;

/** One broadcast on this node: a feed from the source, successive encoder runs, and a presentation. */
export class BroadcastJob {
  private readonly status: BroadcastStatus;
  private sfuNodeID: string;
  private feed: Feed | undefined;
  private run: EncodingRun | undefined;
  private runCount = 0;
  /** Number of the run that published last. Segments of earlier runs are dropped. */
  private publishingOrder = 0;
  /** Number of renditions that players may be using. */
  private fewestRenditions: number;
  private resizableFromMs = 0;
  private readonly failures = new FailureWindow(mostFailures, failureWindowMs);
  private readonly endings = new Set<Promise<void>>();
  /** Store writes in progress. */
  private readonly publishes = new Set<Promise<void>>();
  private readonly timer: Timer;
  private lastVideoAt: number;
  /** Serialises the commands of the broadcast. */
  private readonly commands = new SerialQueue();

  constructor(
    readonly request: StartBroadcastRequest,
    private readonly parts: BroadcastJobParts,
  ) {
    this.sfuNodeID = request.sfuNodeID;
    this.fewestRenditions = Math.max(1, request.continues?.renditions ?? 1);
    this.status = new BroadcastStatus(fact => parts.report(fact));
    this.lastVideoAt = parts.clock.now();
    this.timer = parts.clock.every(keyframeRetryMs, () => this.onTick());
  }

  /**
   * Returns `interrupted` only while no video arrives. The gateway resumes an interrupted job, and a resume would end an
   * encoder that is about to publish.
   */
  get state(): JobState {
    const { state } = this.status;
    return state === 'interrupted' && this.feed && !this.isSilent ? 'starting' : state;
  }

  private get isSilent(): boolean {
    return this.parts.clock.now() - this.lastVideoAt > sourceSilentMs;
  }

  /** Process id of the encoder, if any. */
  get encoderPid(): number | undefined {
    return this.run?.encoderPid;
  }

  /** Opens the feed. Throws the errors of `SourceFeed.opener`. */
  start(): Promise<void> {
    return this.commands.run(async () => {
      // An earlier resume may have opened the feed.
      if (!this.feed) await this.openFeed();
    });
  }

  /** Closes the feed because the source is lost. Published segments remain. */
  interrupt(): Promise<void> {
    return this.commands.run(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.closeFeed();
    });
  }

  /** Opens the feed again. */
  resume({ sfuNodeID, onlyIf }: ResumedSource): Promise<void> {
    return this.commands.run(async () => {
      if (this.status.hasEnded || (onlyIf && this.state !== onlyIf)) return;
      this.sfuNodeID = sfuNodeID;
      this.status.pause();
      await this.closeFeed();
      await this.openFeed();
    });
  }

  /** Handles a repeated start from a gateway that lost this node: reports an active job again and resumes an interrupted one. */
  startAgain(sfuNodeID: string): Promise<void> {
    const isElsewhere = sfuNodeID !== this.sfuNodeID;
    if (this.status.state === 'interrupted' || isElsewhere) return this.resume({ sfuNodeID });
    if (this.status.state === 'active') this.status.reportActive(this.parts.presentation.renditions());
    return Promise.resolve();
  }

  /** Stops because another node continues. Publishes the last segments, but no end tag. */
  handOver(): Promise<void> {
    return this.commands.run(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.closeFeed();
      await Promise.all(this.publishes);
      this.status.end();
      this.timer.cancel();
      this.parts.presentation.handOver();
    });
  }

  /** Ends the broadcast. Safe to call twice. */
  stop(): Promise<void> {
    return this.commands.run(async () => {
      this.status.end();
      this.timer.cancel();
      await this.closeFeed();
      this.parts.presentation.end();
    });
  }

  private async openFeed(): Promise<void> {
    if (this.status.hasEnded) return;
    const { broadcastID: feedID, sourceID, tracks } = this.request;
    const { sfuNodeID } = this;
    const { bus, encoder, clock, openFeed } = this.parts;
    const needs = { decodes: (codec: CodecName) => encoder.decodes(codec), needsVideo: true };
    this.feed = await openFeed(bus, { feedID, sourceID, sfuNodeID, tracks }, needs, {
      onFrame: frame => {
        if (frame.kind === 'video') this.lastVideoAt = clock.now();
        this.run?.onFrame(frame);
      },
      onDamage: () => this.feed?.requestKeyframe(),
    });
    this.lastVideoAt = clock.now();
    this.beginRun();
  }

  private async closeFeed(): Promise<void> {
    const { feed } = this;
    this.feed = undefined;
    this.endRun();
    await Promise.all([feed?.close(), ...this.endings]);
  }

  /** With `profile`, the new encoder starts before the next keyframe arrives. */
  private beginRun(profile?: SourceProfile): void {
    const { feed } = this;
    if (!feed) return;
    const order = ++this.runCount;
    const codecs = withSound(feed.codecs, this.request.tracks);
    let publisher: SegmentPublisher | undefined;
    const isCurrent = () => this.run === run;
    const run: EncodingRun = new EncodingRun(this.parts.encoder, this.parts.clock, this.runOptions(codecs, profile), {
      onStarted: (started, firstFrameMs) => {
        this.fewestRenditions = started.ladder.length;
        const startsAt = new Date(feed.senderTimeOf(firstFrameMs));
        publisher = new SegmentPublisher(this.parts.presentation, { ...started, startsAt, order }, codecs);
      },
      onInit: (name, bytes) => this.remember(this.publish(publisher, isCurrent, to => to.addInit(name, bytes))),
      onSegment: (name, segment) =>
        this.remember(this.publish(publisher, isCurrent, to => to.addSegment(name, segment))),
      onSourceChanged: (reason, frame) => isCurrent() && this.onSourceChanged(reason, frame),
      onTooLarge: size => isCurrent() && this.onTooLarge(size),
      onFailed: exit => isCurrent() && this.onEncoderFailed(exit),
    });
    this.run = run;
    feed.requestKeyframe();
  }

  private runOptions(codecs: FeedCodecs, profile: SourceProfile | undefined) {
    const { broadcastID, maxHeight, maxSource } = this.request;
    const { fewestRenditions, resizableFromMs } = this;
    const { segmentSeconds } = this.parts.presentation.options;
    return {
      ...{ broadcastID, segmentSeconds, codecs, fewestRenditions, resizableFromMs },
      ...(maxHeight !== undefined && { maxHeight }),
      ...(maxSource && { maxSource }),
      ...(profile && { profile }),
    };
  }

  /** Ends the run. It may still publish its last segments until another run publishes. */
  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (!run) return;
    const ending = run
      .finish()
      .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot end an encoder'))
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
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
    this.endRun();
    this.beginRun();
    this.run?.onFrame(frame);
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
    if (this.failures.add(this.parts.clock.now())) return this.fail('encoder_failed');
    this.beginRun(profile);
  }

  private fail(reason: EndReason): void {
    this.status.fail(reason);
    void this.stop().finally(() => this.parts.onFailed());
  }

  private onTick(): void {
    if (this.run?.isWaitingForKeyframe) this.feed?.requestKeyframe();
    if (!this.isSilent || this.status.state !== 'active') return;
    this.status.becomeInterrupted('source_lost');
    this.endRun();
    this.beginRun();
  }
}
