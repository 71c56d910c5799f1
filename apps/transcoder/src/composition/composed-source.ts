import type { PictureSize } from '@rtms/bitstream';
import type { Requester } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { CodecName, ComposedSource, SourceBounds } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { VideoTrack } from '../encoder/matroska/matroska.js';
import { isTooLarge } from '../jobs/job-limits.js';
import { isKeyframe, type Feed, type Keyframe, type OpenFeed, type TimedFrame } from '../rtp/source-feed.js';
import { sourceKey } from './arrange.js';

export interface SourceParts {
  /** Feeds of one job have names that begin with this one. */
  jobID: string;
  bus: Requester;
  openFeed: OpenFeed;
  decodes: (codec: CodecName) => boolean;
  /** Pictures above these bounds are not decoded. */
  maxSource: SourceBounds | undefined;
  clock: Clock;
  logger: Logger;
}

/** Without a picture for this time the others go on, and the last picture stays. Shared screens send once a second if nothing moves. */
const firstPatienceMs = 1_200;
/** A later picture counts as none: all other inputs would wait for a source whose times lag. */
const latestMs = 1_000;
/** The patience doubles with each stall, because a new run costs more than a short wait. */
const longestPatienceMs = 4_000;
const stallsForgottenMs = 60_000;
/** Without a picture for this time the source leaves its tile. */
const lostMs = 5_000;
/** A feed without pictures for this time may be that of a track that has ended. */
const reopenMs = 5_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
const keyframeEveryMs = 500;
const expectedMs = 1_500;
/** Pictures for the next run: a keyframe and those after it. More means that no run begins. */
const mostPictures = 200;
const mostPictureBytes = 4 * 1024 * 1024;
/** One second. */
const mostSounds = 50;

/** The feed of one source of a composition: opens it again after any loss, and keeps frames for the next run. */
export class SourceInput {
  private feed: Feed | undefined;
  private openings = 0;
  private isOpening = false;
  private isClosed = false;
  private retryMs = firstRetryMs;
  private nextOpenAt = 0;
  private changedAt: number;
  private lastVideoAt = 0;
  private keyframeAskedAt = 0;
  private refusedUntil = 0;
  private generation = 0;
  /** The size of the newest picture. undefined: the source has no picture now. */
  private size: PictureSize | undefined;
  private isFrozen = false;
  private stalls = 0;
  private lastStallAt = 0;
  private isBuffering = true;
  private first: Keyframe | undefined;
  private pictures: TimedFrame[] = [];
  private pictureBytes = 0;
  private sounds: TimedFrame[] = [];
  private isReportedLarge = false;

  constructor(
    private current: ComposedSource,
    private readonly parts: SourceParts,
    private readonly onFrame: (key: string, frame: TimedFrame) => void,
  ) {
    this.changedAt = parts.clock.now();
  }

  /** The source as it is now: without video unless pictures arrive. */
  get source(): ComposedSource {
    const tracks = this.current.tracks.filter(kind => kind === 'audio' || this.size);
    return { ...this.current, tracks };
  }

  get key(): string {
    return sourceKey(this.current);
  }

  /** Changes when the decoder must begin again. */
  get pictureKey(): string {
    return `${this.key} ${this.generation}`;
  }

  get pictureSize(): PictureSize | undefined {
    return this.size;
  }

  /** The track and the frames from the newest keyframe; undefined without a keyframe. */
  get buffered(): VideoTrack | undefined {
    const { first, feed } = this;
    if (!first || !feed?.codecs.video) return undefined;
    const { size, codecPrivate } = first;
    return { codec: feed.codecs.video.codec, size, ...(codecPrivate && { codecPrivate }) };
  }

  /** Whether a picture may arrive soon, because the source or its feed is new. */
  isExpected(now: number): boolean {
    return !this.size && this.wantsVideo && now - this.changedAt < expectedMs && now >= this.refusedUntil;
  }

  /** Takes over a change of the room. Other tracks or another SFU node need another feed. */
  update(source: ComposedSource): void {
    const former = this.current;
    this.current = source;
    if (feedOf(former) === feedOf(source)) return;
    if (!source.tracks.includes('video')) this.losePicture();
    this.retryMs = firstRetryMs;
    this.changedAt = this.parts.clock.now();
    this.reopen();
  }

  /** Keeps pictures from the next keyframe for the next run. */
  collect(): void {
    if (this.isBuffering && this.first) return;
    this.isBuffering = true;
    this.askForKeyframe();
  }

  /** Returns the kept frames. From now on pictures only go to the runs. */
  take(): TimedFrame[] {
    const taken = [...this.pictures, ...this.sounds];
    this.clearBuffer();
    this.isBuffering = !this.size;
    return taken;
  }

  /** The source has no picture until its next keyframe. */
  losePicture(): void {
    this.size = undefined;
    this.isFrozen = false;
    this.clearBuffer();
    this.isBuffering = true;
  }

  /** Its pictures cannot be decoded. */
  refuse(ms: number): void {
    this.parts.logger.warn({ source: this.key }, 'a source of a composition cannot be decoded, leaving it out');
    this.refusedUntil = this.parts.clock.now() + ms;
    this.losePicture();
  }

  /** Returns the ms of a silence that must end its input, so that the others go on; 0: none. */
  freezesAfterMs(now: number): number {
    const silentMs = now - this.lastVideoAt;
    if (!this.size || this.isFrozen || silentMs <= this.patienceMs) return 0;
    this.stalls = now - this.lastStallAt > stallsForgottenMs ? 1 : this.stalls + 1;
    this.lastStallAt = now;
    this.clearBuffer();
    this.isFrozen = this.isBuffering = true;
    return silentMs;
  }

  tick(now: number): void {
    if (this.size && now - this.lastVideoAt > lostMs) this.losePicture();
    if (this.needsKeyframe && now >= this.refusedUntil) this.askForKeyframe();
    // A muted microphone is silent, and its feed is alive.
    const mayBeOver = !this.feed || (this.wantsVideo && now - this.lastVideoAt > reopenMs);
    if (mayBeOver && now >= this.nextOpenAt && !this.isOpening) this.reopen();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.losePicture();
    await this.closeFeed();
  }

  private get wantsVideo(): boolean {
    return this.current.tracks.includes('video');
  }

  private get patienceMs(): number {
    return Math.min(longestPatienceMs, firstPatienceMs * 2 ** this.stalls);
  }

  private get needsKeyframe(): boolean {
    return this.isBuffering && !this.first && this.wantsVideo && this.feed?.codecs.video !== undefined;
  }

  private reopen(): void {
    const now = this.parts.clock.now();
    this.nextOpenAt = now + this.retryMs;
    this.retryMs = Math.min(longestRetryMs, 2 * this.retryMs);
    this.isOpening = true;
    const opening = ++this.openings;
    void this.open(opening).finally(() => {
      if (opening === this.openings) this.isOpening = false;
    });
  }

  /** A lost SFU node does not answer, and must not delay the next feed. */
  private async open(opening: number): Promise<void> {
    const { bus, openFeed, decodes, logger, clock, jobID } = this.parts;
    const { sourceID, view, sfuNodeID, tracks } = this.current;
    void this.closeFeed();
    if (this.isClosed || tracks.length === 0) return;
    const feedID = `${jobID}/${this.key}`;
    const needs = { decodes, needsVideo: false };
    this.generation += 1;
    let opened: Feed | undefined;
    const early: TimedFrame[] = [];
    const isCurrent = () => opened !== undefined && this.feed === opened;
    try {
      opened = await openFeed(bus, { feedID, sourceID, view, sfuNodeID, tracks }, needs, {
        onFrame: frame => {
          if (!opened) early.push(frame);
          else if (isCurrent()) this.receive(frame);
        },
        onDamage: () => {
          if (isCurrent()) this.askForKeyframe();
        },
      });
    } catch (err) {
      logger.debug({ err, source: this.key }, 'a source of a composition sends nothing now');
      return;
    }
    if (this.isStale(opening)) return opened.close();
    this.feed = opened;
    this.lastVideoAt = clock.now();
    this.changedAt = clock.now();
    this.clearBuffer();
    this.isBuffering = true;
    for (const frame of early) this.receive(frame);
    this.askForKeyframe();
  }

  private isStale(opening: number): boolean {
    return this.isClosed || opening !== this.openings;
  }

  private async closeFeed(): Promise<void> {
    const { feed } = this;
    this.feed = undefined;
    await feed?.close();
  }

  private receive(frame: TimedFrame): void {
    const now = this.parts.clock.now();
    if (frame.kind === 'audio') {
      if (!this.wantsVideo) this.retryMs = firstRetryMs;
      this.sounds = [...this.sounds.slice(1 - mostSounds), frame];
      return this.onFrame(this.key, frame);
    }
    if (now < this.refusedUntil || !this.wantsVideo || this.isAbove(frame)) return;
    if (now - frame.timeMs > latestMs) return;
    this.lastVideoAt = now;
    if (isKeyframe(frame)) this.onKeyframe(frame);
    // A decoder cannot begin with it.
    else if (!this.size || this.isFrozen) return this.askForKeyframe();
    this.keep(frame);
    this.onFrame(this.pictureKey, frame);
  }

  private onKeyframe(frame: Keyframe): void {
    if (!this.size || this.isFrozen) this.generation += 1;
    this.isFrozen = false;
    this.size = frame.size;
    this.retryMs = firstRetryMs;
    if (!this.isBuffering) return;
    this.clearBuffer();
    this.first = frame;
  }

  private keep(frame: TimedFrame): void {
    if (!this.isBuffering || !this.first) return;
    this.pictures.push(frame);
    this.pictureBytes += frame.data.length;
    if (this.pictures.length <= mostPictures && this.pictureBytes <= mostPictureBytes) return;
    this.clearBuffer();
    this.isBuffering = false;
  }

  private clearBuffer(): void {
    this.first = undefined;
    this.pictures = [];
    this.pictureBytes = 0;
  }

  private isAbove({ size }: TimedFrame): boolean {
    const { maxSource, logger } = this.parts;
    const shown = size ?? this.size;
    if (!shown || !isTooLarge(shown, maxSource)) return false;
    if (!this.isReportedLarge)
      logger.warn({ size, maxSource, source: this.key }, 'a source exceeds the limits of its account');
    this.isReportedLarge = true;
    if (this.size) this.losePicture();
    return true;
  }

  askForKeyframe(): void {
    if (this.parts.clock.now() - this.keyframeAskedAt < keyframeEveryMs) return;
    this.keyframeAskedAt = this.parts.clock.now();
    this.feed?.requestKeyframe();
  }
}

/** A source with another key here needs another feed. */
function feedOf({ sfuNodeID, tracks, trackIDs = [] }: ComposedSource): string {
  return [sfuNodeID, ...tracks, ...trackIDs].join();
}
