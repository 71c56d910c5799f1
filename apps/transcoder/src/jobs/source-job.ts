import type { Requester } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { ResumedSource } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import { AwakeClock, tickMs } from '../delivery/pace/awake-clock.js';
import {
  isKeyframe,
  type Feed,
  type FeedNeeds,
  type FeedRequest,
  type OpenFeed,
  type TimedFrame,
} from '../rtp/source-feed.js';
import { Failures } from './job-limits.js';

export interface SourceJobParts {
  bus: Requester;
  openFeed: OpenFeed;
  /** The source has sent a frame; of audio only if the job needs no video. */
  onMedia?(): void;
  /** A packet of the source's video has come, and `lostBefore` packets before it have not. */
  onVideoPacket?(lostBefore: number): void;
  /** Called every second. */
  onTick?(): void;
  clock: Clock;
  logger: Logger;
}

/** One process that encodes, records or sends the feed. */
interface SourceRun {
  onFrame(frame: TimedFrame): void;
  /** Ends the input. Resolves after the last output. */
  finish(): Promise<void>;
}

/** Senders of any media send more often than this. They repeat even a still picture. */
export const sourceSilentMs = 5_000;
/** Media that came less than this ago has not ended by itself. */
const presentMs = 1_000;

/** A broadcast, a recording or a restream: a feed from an SFU node and successive runs. Executes its commands one after the other. */
export abstract class SourceJob<Run extends SourceRun, Parts extends SourceJobParts> {
  protected feed: Feed | undefined;
  protected run: Run | undefined;
  private readonly awake: AwakeClock;
  /** Time of the last frame, or of the opening of the feed, by the awake clock. Frames of audio do not count if the job needs video. */
  private lastFrameAt: number;
  /** Time of the last keyframe, or of the opening of the feed. */
  protected lastKeyframeAt: number;
  private readonly processFailures = new Failures();
  /** Former runs whose last output may still arrive. */
  protected readonly endings = new Set<Promise<void>>();
  private readonly closings = new Set<Promise<void>>();
  private readonly timer: Timer;
  private readonly commands = new SerialQueue();

  constructor(
    private source: FeedRequest,
    protected readonly parts: Parts,
    private readonly needs: FeedNeeds,
  ) {
    this.awake = new AwakeClock(parts.clock);
    this.lastFrameAt = this.awake.now();
    this.lastKeyframeAt = parts.clock.now();
    this.timer = parts.clock.every(tickMs, () => {
      this.awake.tick();
      parts.onTick?.();
      this.onTick();
    });
  }

  abstract get state(): string;
  protected abstract get hasEnded(): boolean;
  /** The source is lost, or moves to another SFU node. */
  protected abstract pause(): void;
  /** The run has ended, and the next one needs a keyframe. `isMoved`: the platform has ended it, and not for want of media. */
  protected onInterrupted(_isMoved: boolean): void {
    return undefined;
  }
  protected abstract beginRun(): void;
  protected abstract onTick(): void;

  /** Opens the feed. Throws the errors of `SourceFeed.opener`. */
  start(): Promise<void> {
    return this.inOrder(async () => {
      // An earlier resume may have opened the feed.
      if (!this.feed) await this.openFeed();
    });
  }

  /** Closes the feed because the source is lost, or moves. Published segments and recorded parts remain. */
  interrupt(isMoved = false): Promise<void> {
    return this.inOrder(async () => {
      if (this.hasEnded) return;
      this.pause();
      this.endRun();
      this.onInterrupted(isMoved);
      await this.closeFeed();
    });
  }

  /** Opens the feed again. */
  resume({ sfuNodeID, onlyIf, orElsewhere = false }: ResumedSource): Promise<void> {
    return this.inOrder(async () => {
      const isElsewhere = orElsewhere && sfuNodeID !== this.source.sfuNodeID;
      if (this.hasEnded || (onlyIf && this.state !== onlyIf && !isElsewhere)) return;
      this.source = { ...this.source, sfuNodeID };
      this.pause();
      this.endRun();
      this.onInterrupted(this.silentMs < presentMs);
      // A lost SFU node does not answer, and must not delay the next feed.
      this.dropFeed();
      await Promise.all(this.endings);
      await this.openFeed();
    });
  }

  protected get sfuNodeID(): string {
    return this.source.sfuNodeID;
  }

  protected get isSilent(): boolean {
    return this.silentMs > sourceSilentMs;
  }

  protected get silentMs(): number {
    return this.awake.now() - this.lastFrameAt;
  }

  protected inOrder(command: () => Promise<void>): Promise<void> {
    return this.commands.run(command);
  }

  protected async closeFeed(): Promise<void> {
    this.dropFeed();
    await Promise.all([...this.closings, ...this.endings]);
  }

  private dropFeed(): void {
    const { feed } = this;
    this.feed = undefined;
    this.endRun();
    if (!feed) return;
    const closing = feed.close().finally(() => this.closings.delete(closing));
    this.closings.add(closing);
  }

  /** Closes the feed for good. */
  protected async endFeed(): Promise<void> {
    this.timer.cancel();
    await this.closeFeed();
  }

  /** Ends the run. Its last output may arrive later. */
  protected endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (!run) return;
    const ending = run
      .finish()
      .catch((err: unknown) => this.parts.logger.error({ err }, 'cannot end a run'))
      .finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  /** Begins another run with the first frame of the changed source. */
  protected restart(frame: TimedFrame): void {
    this.endRun();
    this.beginRun();
    this.run?.onFrame(frame);
  }

  /** Counts a failure of the process. Returns whether the job must give up. */
  protected failsTooOften(): boolean {
    return this.processFailures.add(this.parts.clock.now());
  }

  private async openFeed(): Promise<void> {
    if (this.hasEnded) return;
    const { bus, clock, openFeed } = this.parts;
    this.feed = await openFeed(bus, this.source, this.needs, {
      onFrame: frame => {
        if (frame.kind === 'video' || !this.needs.needsVideo) {
          this.lastFrameAt = this.awake.now();
          this.parts.onMedia?.();
        }
        if (isKeyframe(frame)) this.lastKeyframeAt = clock.now();
        this.run?.onFrame(frame);
      },
      onDamage: () => this.feed?.requestKeyframe(),
      onVideoPacket: lostBefore => this.parts.onVideoPacket?.(lostBefore),
    });
    this.lastFrameAt = this.awake.now();
    this.lastKeyframeAt = clock.now();
    this.beginRun();
  }
}
