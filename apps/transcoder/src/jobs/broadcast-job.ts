import type { Requester } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { BroadcastFact, CodecName, EndReason, ResumedSource, StartBroadcastRequest } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { BroadcastStatus, type JobState } from './broadcast-status.js';
import type { FrameSize } from '../depacketize/frame.js';
import type { Encoder, EncoderExit } from './encoder/encoder.js';
import { EncodingRun } from './encoding-run.js';
import { FailureWindow } from './failure-window.js';
import type { Presentation } from './hls/presentation.js';
import { resizeIntervalMs } from './hls/size-watch.js';
import type { SourceProfile } from './hls/source-profile.js';
import { SegmentPublisher } from './segment-publisher.js';
import { withSound, type Feed, type FeedCodecs, type OpenFeed, type TimedFrame } from './source-feed.js';

export interface BroadcastJobParts {
  bus: Requester;
  encoder: Encoder;
  presentation: Presentation;
  openFeed: OpenFeed;
  clock: Clock;
  logger: Logger;
  report(fact: BroadcastFact): void;
  /** The job gave up and has closed what it had; called once, after the fact. */
  onFailed(): void;
}

/** One more encoder after these many deaths would die as well. */
const mostFailures = 5;
const failureWindowMs = 60_000;
const keyframeRetryMs = 1_000;
/** Senders repeat even a still picture more often than this. */
const sourceSilentMs = 5_000;

/** One broadcast on this node: a feed from the source, one encoder after the other, a presentation. */
export class BroadcastJob {
  private readonly status: BroadcastStatus;
  private sfuNodeID: string;
  private feed: Feed | undefined;
  private run: EncodingRun | undefined;
  private runCount = 0;
  /** Of the run that published last: nothing is published of an earlier one. */
  private publishingOrder = 0;
  /** How many renditions players may hold on to. */
  private fewestRenditions: number;
  private resizableFromMs = 0;
  private readonly failures = new FailureWindow(mostFailures, failureWindowMs);
  private readonly endings = new Set<Promise<void>>();
  /** What is on its way to the store. */
  private readonly publishes = new Set<Promise<void>>();
  private readonly timer: Timer;
  private lastVideoAt: number;
  private commands: Promise<unknown> = Promise.resolve();

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
   * `interrupted` only while no picture comes in. The gateway resumes such a job, and a resume reopens the feed: it would
   * end an encoder that is about to publish.
   */
  get state(): JobState {
    const { state } = this.status;
    return state === 'interrupted' && this.feed && !this.isSilent ? 'starting' : state;
  }

  private get isSilent(): boolean {
    return this.parts.clock.now() - this.lastVideoAt > sourceSilentMs;
  }

  /** The encoder's process, where there is one. */
  get encoderPid(): number | undefined {
    return this.run?.encoderPid;
  }

  /** Resolves when media is on its way; throws as `SourceFeed.opener` says. */
  start(): Promise<void> {
    return this.inTurn(async () => {
      // A resume that came first has done it already.
      if (!this.feed) await this.openFeed();
    });
  }

  /** The source is lost: what was published stays, nothing is added. */
  interrupt(): Promise<void> {
    return this.inTurn(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.closeFeed();
    });
  }

  /** The source is back. */
  resume({ sfuNodeID, onlyIf }: ResumedSource): Promise<void> {
    return this.inTurn(async () => {
      if (this.status.hasEnded || (onlyIf && this.state !== onlyIf)) return;
      this.sfuNodeID = sfuNodeID;
      this.status.pause();
      await this.closeFeed();
      await this.openFeed();
    });
  }

  /** It is ordered anew, by a gateway that lost sight of this node: what runs is reported again, what waits goes on. */
  startAgain(sfuNodeID: string): Promise<void> {
    const isElsewhere = sfuNodeID !== this.sfuNodeID;
    if (this.status.state === 'interrupted' || isElsewhere) return this.resume({ sfuNodeID });
    if (this.status.state === 'active') this.status.reportActive(this.parts.presentation.renditions());
    return Promise.resolve();
  }

  /** Another node goes on with it: the last segments still come out, and the playlists do not end. */
  handOver(): Promise<void> {
    return this.inTurn(async () => {
      if (this.status.hasEnded) return;
      this.status.pause();
      await this.closeFeed();
      await Promise.all(this.publishes);
      this.status.end();
      this.timer.cancel();
      this.parts.presentation.handOver();
    });
  }

  /** Ends it for good; safe to call twice. */
  stop(): Promise<void> {
    return this.inTurn(async () => {
      this.status.end();
      this.timer.cancel();
      await this.closeFeed();
      this.parts.presentation.end();
    });
  }

  /** Commands of one broadcast never overlap. */
  private inTurn(command: () => Promise<void>): Promise<void> {
    const result = this.commands.then(command);
    this.commands = result.catch(() => undefined);
    return result;
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

  /** With `profile` only the encoder is new and starts before the next keyframe is here. */
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

  /** Its last segments still come out, unless another run begins to publish before. */
  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (!run) return;
    const ending = run
      .finish()
      .catch((err: unknown) => this.parts.logger.error({ err }, 'an encoder could not be ended'))
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
      this.parts.logger.error({ err: error }, 'a segment could not be stored');
      if (isCurrent()) this.onEncoderFailed({ expected: false, code: null, signal: null, lastLines: [] });
      return;
    }
    if (isCurrent() && publisher.hasPublished) this.status.becomeActive(this.parts.presentation.renditions());
  }

  private onSourceChanged(reason: 'size' | 'time', frame: TimedFrame): void {
    this.parts.logger.info({ reason, size: frame.size }, 'the source changed, the encoder starts anew');
    if (reason === 'size') this.resizableFromMs = frame.timeMs + resizeIntervalMs;
    this.endRun();
    this.beginRun();
    this.run?.onFrame(frame);
  }

  /** Another attempt would fail as well: the broadcast ends. */
  private onTooLarge(size: FrameSize): void {
    this.parts.logger.warn(
      { size, maxSource: this.request.maxSource },
      'the source is larger than its account may have',
    );
    this.fail('source_too_large');
  }

  private onEncoderFailed({ code, signal, lastLines }: EncoderExit): void {
    this.parts.logger.error({ code, signal, lastLines }, 'the encoder died');
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
