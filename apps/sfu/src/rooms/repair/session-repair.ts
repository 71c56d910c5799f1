import { RemoteError, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { type HealthCode, type RepairInput, type RepairSender, ServiceError } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { nanoid } from 'nanoid';
import type { MediaInlet, MediaRoom, PublishedTrack } from '../../media/media-engine.js';
import { RepairWait } from './repair-wait.js';

/** ms. */
export const repairTimings = {
  /** A repair goes on for this long after its last viewer: viewers reload their pages. */
  lingersFor: 10_000,
  /** Encoders with adaptive B-frames pause them in still scenes. The health looks again after 30 s. */
  faultyFor: 60_000,
  /** A transcoder needs less than a second, after a keyframe. */
  startsWithin: 8_000,
  /** The gateway learns by an event that the session is active, and may be asked before. */
  knownWithin: 5_000,
  asksSoonAfter: 500,
  /** A live repair is lost when nothing arrives for this long while the publisher sends. */
  silentAfter: 1_500,
  /** Between a failure and the next question. It doubles with each failure in a row. */
  asksAgainAfter: 5_000,
  asksAgainAtLatest: 60_000,
} as const;

/** Used until the bit rate of a new source is measured. */
const defaultBitrate = 2_500_000;

/** A question to the gateway; see `placeRepair`. */
export type AskForRepair = (need: { repairID: string; sessionID: string; videoBitrate: number }) => Promise<unknown>;

export interface RepairParts {
  sessionID: string;
  ask: AskForRepair;
  clock: Clock;
  logger: Logger;
  /** The tracks for viewers have changed. Resolves when the viewers no longer use the former ones. */
  onTracksChanged(): Promise<void>;
  onHealthChanged(): void;
  /** The feed of a repair has the repair's id. A transcoder that died cannot close it. */
  closeFeed(feedID: string): Promise<void>;
}

/** The session as the repair sees it. */
export interface RepairedSession {
  /** The health of the publisher names B-frames. */
  isFaulty: boolean;
  /** A viewer or a member receives the video. */
  isWatched: boolean;
  /** The live tracks of the publisher. */
  tracks: readonly PublishedTrack[];
  /** Absent: unknown. Encoders that take no requests for keyframes may pause for ten seconds between them. */
  keyframeIntervalSeconds?: number | undefined;
}

interface Judged {
  tracks: readonly PublishedTrack[];
  now: number;
  keyframeIntervalSeconds: number | undefined;
}

/** One transcoder's work for the session. */
interface Attempt {
  repairID: string;
  askedAt: number;
  originals: readonly PublishedTrack[];
  inlet: MediaInlet | undefined;
  /** The transcoder may ask again before the first answer. */
  opening: Promise<MediaInlet> | undefined;
  /** A picture has arrived. */
  isLive: boolean;
  /** The transcoder drains, and sends until another one does. */
  isLeaving: boolean;
}

/**
 * Repairs the video of a session for viewers by WebRTC while somebody watches: a transcoder removes the B-frames, and delays the
 * audio as much. Feeds go on with the publisher's own tracks. Without B-frames it does nothing.
 */
export class SessionRepair implements Closeable {
  /** At most two: the one that viewers see, and its successor. */
  private readonly attempts = new Map<string, Attempt>();
  private faultyUntil = Number.NEGATIVE_INFINITY;
  private wantedUntil = Number.NEGATIVE_INFINITY;
  private asksFrom = Number.NEGATIVE_INFINITY;
  private failures = 0;
  private isUnavailable = false;
  private readonly wait = new RepairWait({
    isRepaired: () => this.live !== undefined,
    onOver: () => void this.parts.onTracksChanged(),
  });
  private begunAt = Number.NEGATIVE_INFINITY;
  /** The original was silent at the last look, or it sends since this time. */
  private sendsSince: number | undefined;

  constructor(private readonly parts: RepairParts) {}

  /** The codes besides `b_frames`. */
  get health(): HealthCode[] {
    if (this.live) return ['b_frames_repaired'];
    return this.isUnavailable ? ['repair_unavailable'] : [];
  }

  /** The track that viewers receive in place of a publisher's track: its repaired copy, or the track itself. */
  shown(track: PublishedTrack): PublishedTrack {
    const copy = this.live?.inlet?.tracks.find(({ kind }) => kind === track.kind);
    return copy?.state === 'live' && copy.lastReceivedAt() !== undefined ? copy : track;
  }

  /** Viewers receive nothing yet, see `RepairWait`. `onTracksChanged` tells the end. */
  get isAwaited(): boolean {
    return this.wait.isOn;
  }

  /** A repair runs or was wanted a moment ago, or viewers would wait for one. */
  get isNeeded(): boolean {
    const isBusy = this.attempts.size > 0 || this.isUnavailable || this.wait.isExpected;
    return isBusy || this.parts.clock.now() < this.faultyUntil;
  }

  has(repairID: string): boolean {
    return this.attempts.has(repairID);
  }

  /** The session becomes active. Call it before viewers receive the tracks. */
  begin(isFaulty: boolean): void {
    this.begunAt = this.parts.clock.now();
    if (!isFaulty) return;
    this.faultyUntil = this.begunAt + repairTimings.faultyFor;
    this.wait.expect();
  }

  /** Starts, replaces or ends the repair as needed. The session calls it on every event and in its sweep. */
  refresh({ isFaulty, isWatched, tracks, keyframeIntervalSeconds }: RepairedSession): void {
    const now = this.parts.clock.now();
    const video = tracks.find(isRepairable);
    if (isFaulty) this.faultyUntil = now + repairTimings.faultyFor;
    if (!video || now >= this.faultyUntil) return this.stop(false);
    if (isWatched) this.wantedUntil = now + repairTimings.lingersFor;
    // Viewers who come before the next question get the original.
    if (now >= this.wantedUntil) return this.stop(now >= this.asksFrom);
    this.watchOriginal(video, now);
    this.wait.limit(now);
    for (const attempt of [...this.attempts.values()]) this.judge(attempt, { tracks, now, keyframeIntervalSeconds });
    if (isWatched && !this.isServed && now >= this.asksFrom) void this.ask(video, tracks);
  }

  /** Opens ports for the transcoder that the gateway has chosen. Throws `not_found` for a repair that nobody wants any more. */
  async open(repairID: string, senders: readonly RepairSender[], media: MediaRoom): Promise<RepairInput[]> {
    const attempt = this.attempts.get(repairID);
    if (!attempt) throw unwanted();
    attempt.opening ??= this.openInlet(attempt, senders, media).catch((error: unknown) => {
      attempt.opening = undefined;
      throw error;
    });
    return (await attempt.opening).inputs;
  }

  /** The transcoder asks whether it shall go on. `isLeaving`: it drains. */
  keep(repairID: string, isLeaving: boolean): boolean {
    const attempt = this.attempts.get(repairID);
    if (attempt) attempt.isLeaving ||= isLeaving;
    return attempt !== undefined;
  }

  /** The publisher has gone, and another one may be sound. Transcoders stop when they ask. */
  async reset(): Promise<void> {
    this.faultyUntil = this.wantedUntil = this.asksFrom = Number.NEGATIVE_INFINITY;
    this.failures = 0;
    this.sendsSince = undefined;
    this.isUnavailable = false;
    this.wait.end();
    await this.dropAll();
  }

  close(): Promise<void> {
    return this.reset();
  }

  private async openInlet(attempt: Attempt, senders: readonly RepairSender[], media: MediaRoom): Promise<MediaInlet> {
    const sources = senders.flatMap(({ kind, ip, port }) => {
      const original = attempt.originals.find(track => track.kind === kind);
      return original ? [{ kind, codec: original.codec, ip, port }] : [];
    });
    const inlet = await media.openInlet(sources);
    if (this.attempts.get(attempt.repairID) !== attempt) {
      await inlet.close();
      throw unwanted();
    }
    attempt.inlet = inlet;
    for (const track of inlet.tracks) track.onReceiving(() => void this.onReceiving(attempt, track));
    return inlet;
  }

  /** Whether a transcoder works or starts, and stays. */
  private get isServed(): boolean {
    return [...this.attempts.values()].some(({ isLeaving }) => !isLeaving);
  }

  private get live(): Attempt | undefined {
    return [...this.attempts.values()].find(({ isLive }) => isLive);
  }

  private stop(nextViewersWait: boolean): void {
    this.become(false);
    if (nextViewersWait) this.wait.expect();
    else this.wait.end();
    if (this.attempts.size > 0) void this.dropAll();
  }

  private judge(attempt: Attempt, { tracks, now, keyframeIntervalSeconds = 0 }: Judged): void {
    const { askedAt, isLive, inlet, originals } = attempt;
    const startsWithin = repairTimings.startsWithin + 1_000 * keyframeIntervalSeconds;
    const isStale = tracks.some(track => !originals.includes(track));
    if (isStale || (isLive && this.isSilent(inlet?.tracks ?? [], now))) return this.fail(attempt, 'is lost');
    if (!isLive && now - askedAt >= startsWithin) this.fail(attempt, 'sends no picture', true);
  }

  private watchOriginal(video: PublishedTrack, now: number): void {
    const isSending = video.state === 'live' && now - (video.lastReceivedAt() ?? 0) < repairTimings.silentAfter;
    this.sendsSince = isSending ? (this.sendsSince ?? now) : undefined;
  }

  /** Whether the copy of the video is silent while the publisher sends. A copy begins again a moment after the original. */
  private isSilent(copies: readonly PublishedTrack[], now: number): boolean {
    if (this.sendsSince === undefined) return false;
    const lastHeard = copies.find(({ kind }) => kind === 'video')?.lastReceivedAt() ?? 0;
    return now - Math.max(lastHeard, this.sendsSince) >= repairTimings.silentAfter;
  }

  /** A lost repair is replaced at once. A transcoder that does not start may be overloaded, so the next question waits. */
  private fail(attempt: Attempt, what: string, isSlow = false): void {
    const { repairID } = attempt;
    this.parts.logger.warn({ repairID, sessionID: this.parts.sessionID }, `the repair of a session ${what}`);
    if (isSlow) this.postpone();
    if (attempt.isLive) this.wait.end();
    void this.drop(attempt);
  }

  private async ask(video: PublishedTrack, tracks: readonly PublishedTrack[]): Promise<void> {
    const { clock, sessionID, logger } = this.parts;
    const repairID = `rep_${nanoid()}`;
    const [askedAt, originals] = [clock.now(), [...tracks]];
    const attempt: Attempt = {
      ...{ repairID, askedAt, originals, inlet: undefined, opening: undefined },
      ...{ isLive: false, isLeaving: false },
    };
    this.attempts.set(repairID, attempt);
    try {
      const { bitrate } = await video.reception({ isPassive: true });
      await this.parts.ask({ repairID, sessionID, videoBitrate: Math.round(bitrate) || defaultBitrate });
    } catch (err) {
      if (!this.attempts.has(repairID)) return;
      if (this.isEarly(err)) {
        this.asksFrom = clock.now() + repairTimings.asksSoonAfter;
        return void this.attempts.delete(repairID);
      }
      logger.warn({ err, sessionID }, 'no transcoder removes the B-frames of a session; asking again');
      this.postpone();
      await this.drop(attempt);
    }
  }

  private isEarly(error: unknown): boolean {
    const isInactive = error instanceof RemoteError && error.failure.reason === 'source_not_active';
    return isInactive && this.parts.clock.now() - this.begunAt < repairTimings.knownWithin;
  }

  private postpone(): void {
    const pause = Math.min(repairTimings.asksAgainAfter * 2 ** this.failures, repairTimings.asksAgainAtLatest);
    this.failures += 1;
    this.asksFrom = this.parts.clock.now() + pause;
    this.become(!this.live);
    this.wait.end();
  }

  private become(isUnavailable: boolean): void {
    if (this.isUnavailable === isUnavailable) return;
    this.isUnavailable = isUnavailable;
    this.parts.onHealthChanged();
  }

  /** The first picture makes the repair live, and ends its predecessor. The audio may begin a moment later. */
  private async onReceiving(attempt: Attempt, track: PublishedTrack): Promise<void> {
    if (!this.attempts.has(attempt.repairID)) return;
    const former = [...this.attempts.values()].filter(other => other !== attempt && other.isLive);
    if (track.kind === 'video') {
      attempt.isLive = true;
      this.isUnavailable = false;
      this.failures = 0;
      for (const { repairID } of former) this.attempts.delete(repairID);
    }
    if (!attempt.isLive) return;
    await this.tell();
    for (const each of former) await this.release(each);
  }

  private async dropAll(): Promise<void> {
    await Promise.all([...this.attempts.values()].map(attempt => this.drop(attempt)));
  }

  /** Viewers receive the publisher's tracks before the copies end. */
  private async drop(attempt: Attempt): Promise<void> {
    this.attempts.delete(attempt.repairID);
    if (attempt.isLive) await this.tell();
    await this.release(attempt);
  }

  private async release({ repairID, inlet }: Attempt): Promise<void> {
    await inlet?.close();
    await this.parts.closeFeed(repairID);
  }

  private async tell(): Promise<void> {
    this.parts.onHealthChanged();
    await this.parts.onTracksChanged();
  }
}

/** Simulcast layers would be lost, and no known encoder sends them with B-frames. */
function isRepairable({ kind, codec, encodingIDs, state }: PublishedTrack): boolean {
  const isH264 = codec.mimeType.toLowerCase() === 'video/h264';
  return kind === 'video' && isH264 && encodingIDs.length < 2 && state !== 'ended';
}

function unwanted(): ServiceError {
  return new ServiceError('not_found', 'The session no longer wants this repair.');
}
