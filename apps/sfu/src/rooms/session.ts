import type { Closeable } from '@rtms/bus';
import {
  type ExternalSessionFact,
  type HealthCode,
  type MediaKind,
  type OpenSessionRequest,
  ServiceError,
  type SessionStatistics,
  type SourceBounds,
  type TrackArrival,
} from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { drainingError, type PublishedTrack } from '../media/media-engine.js';
import { sameHealth } from '../media/health/stream-health.js';
import { parseOffer } from '../signalling/sdp/parse-offer.js';
import { toPublishedSections } from '../signalling/sdp/publish-parameters.js';
import type { MediaSource, RoomMedia } from './room-media.js';
import { type Publication, WhipPublication } from './publication.js';
import { type Health, PublisherHealth, statisticsOf } from './publisher-health.js';
import { type RoomContext, roomTimings } from './room-context.js';
import { SessionRepair } from './repair/session-repair.js';

/** Callbacks to the room when a session starts, stops or gets a new publisher. */
interface SessionListener {
  activated(session: Session): void;
  interrupted(session: Session): void;
  /** Viewers receive other tracks, see `shownTracks`. Resolves when they do. */
  shownChanged(session: Session): Promise<void>;
  closeFeed(feedID: string): Promise<void>;
  /** A new publisher replaced the former one. */
  replaced(former: Publication): void;
}

/** The arrival of a publisher's track. */
export interface SourceArrival extends TrackArrival {
  trackID: string;
  /** See `PublishedTrack.stalledMs`. */
  stalledMs: number;
  /** Time of the publisher's last packet of any kind, in ms since 1970. */
  heardAt: number;
  isPaused: boolean;
}

interface PublishRequest {
  offer: string;
  /** SHA-256 digest of the token. */
  openedBy: string;
  requestID: string;
  /** The publisher has announced B-frames, see `IngestToken`. */
  hasBFrames?: boolean;
}

/**
 * An external session on this node. A command opens the session. Its publisher connects, is lost, reconnects or is
 * replaced by another one.
 */
export class Session implements MediaSource, Closeable {
  readonly sessionID: string;
  readonly kinds: readonly MediaKind[];
  private readonly maxSource: SourceBounds | undefined;
  private publication: Publication | undefined;
  private health: PublisherHealth | undefined;
  private isActive = false;
  /** The codes of the last health report. */
  private reportedCodes: readonly HealthCode[] = [];
  readonly repair: SessionRepair;
  private isClosed = false;
  /** The gateway moves or ends the session, because the node's drain is over. */
  private isReleased = false;
  private readonly publishing = new SerialQueue();

  constructor(
    { sessionID, tracks, maxSource }: Omit<OpenSessionRequest, 'meetingID'>,
    private readonly context: RoomContext,
    private readonly listener: SessionListener,
  ) {
    this.sessionID = sessionID;
    this.kinds = tracks;
    this.maxSource = maxSource;
    this.repair = new SessionRepair({
      sessionID,
      ask: context.askForRepair,
      clock: context.clock,
      logger: context.logger,
      onTracksChanged: () => listener.shownChanged(this),
      onHealthChanged: () => this.repairChanged(),
      closeFeed: feedID => listener.closeFeed(feedID),
    });
  }

  get state(): 'pending' | 'active' {
    return this.isActive ? 'active' : 'pending';
  }

  get sourceID(): string {
    return this.sessionID;
  }

  get current(): Publication | undefined {
    return this.publication;
  }

  /** The publisher's tracks while the session is active. */
  get liveTracks(): readonly PublishedTrack[] {
    return this.isActive ? this.openTracks : [];
  }

  /** The tracks for viewers by WebRTC and members: as `liveTracks`, or their repaired copies. */
  get shownTracks(): readonly PublishedTrack[] {
    return this.liveTracks.map(track => this.repair.shown(track));
  }

  /** The tracks that have not ended, also before the session is active. */
  get openTracks(): readonly PublishedTrack[] {
    return this.publication?.tracks.filter(({ state }) => state !== 'ended') ?? [];
  }

  /** Reception statistics of the open tracks. Skips a track that ends meanwhile. `isPassive`: measures no pictures. */
  async statistics(isPassive = false): Promise<SessionStatistics> {
    const tracks = await Promise.all(this.openTracks.map(track => statisticsOf(track, isPassive)));
    const measuredAt = new Date(this.context.clock.now()).toISOString();
    return { sessionID: this.sessionID, measuredAt, tracks: tracks.filter(track => track !== undefined) };
  }

  /** The arrival of the publisher's track of a kind; undefined while it has none. */
  async arrival(kind: MediaKind): Promise<SourceArrival | undefined> {
    const track = this.openTracks.find(each => each.kind === kind) ?? this.openTracks[0];
    if (!track) return undefined;
    const { trackID, state } = track;
    const heardAt = this.publication?.lastHeardAt() ?? this.context.clock.now();
    return { ...(await track.arrival()), trackID, stalledMs: track.stalledMs(), heardAt, isPaused: state === 'paused' };
  }

  /** Accepts a WHIP publisher. Throws `already_publishing` while another publisher is live. */
  publish(media: RoomMedia, request: PublishRequest): Promise<WhipPublication> {
    const offer = parseOffer(request.offer);
    const sections = toPublishedSections(offer, this.kinds);
    return this.publishing.run(async () => {
      this.assertFree();
      const { openedBy, hasBFrames = false } = request;
      const by = { openedBy, hasBFrames, now: this.context.clock.now() };
      const publication = await WhipPublication.open(await media.get(), offer, sections, by);
      await this.replaceBy(publication, request.requestID);
      return publication;
    });
  }

  /** Accepts a publisher that uses the client SDK. Throws as `publish` does. */
  publishAs(publication: Publication): Promise<void> {
    return this.publishing.run(async () => {
      this.assertFree();
      await this.replaceBy(publication);
    });
  }

  /** Refuses a publisher while the node drains: as `publish` does, else with `controller_unavailable`, so that it retries. */
  async turnAway(): Promise<never> {
    this.assertFree();
    if (this.publication) await this.leave(this.publication);
    throw drainingError();
  }

  /** Closes a publication that has ended. Another publisher may connect. */
  async leave(publication: Publication): Promise<void> {
    if (this.publication === publication) {
      this.publication = undefined;
      if (this.isActive) this.interrupt('publisher_lost');
    }
    await publication.close();
    this.context.noteEnd();
  }

  /** A track was added, closed, paused or resumed. */
  tracksChanged(): void {
    if (!this.isActive) return;
    this.reportActive();
    this.listener.activated(this);
  }

  /** The node's drain is over: reports the session interrupted. Its media goes on until the gateway closes the room. */
  release(): void {
    this.isReleased = true;
    if (this.isActive) this.interrupt('node_draining');
    else this.report({ type: 'external_session.interrupted', reason: 'node_draining' });
  }

  /** The drain was cancelled: a publisher that still sends makes the session active again. */
  reclaim(): void {
    this.isReleased = false;
    this.refresh();
  }

  /** Reports a change of state. The room calls it on every event and in its sweep. */
  refresh(requestID?: string): void {
    if (this.isReleased) return;
    const state = this.publication?.state(this.context.clock.now(), roomTimings.lostAfter);
    if (state === 'live' && !this.isActive) this.activate(requestID);
    else if (state !== 'live' && this.isActive) this.interrupt('publisher_lost');
    if (state === 'live') void this.health?.watchPictures(this.openTracks);
  }

  /** Starts or ends the repair of B-frames. `isWatched`: whether a viewer or a member receives the video. */
  refreshRepair(isWatched: () => boolean): void {
    if (!this.isActive) return;
    const { hasBFrames: isFaulty = false, current: { keyframeIntervalSeconds } = {} } = this.health ?? {};
    if (isFaulty || this.repair.isNeeded)
      this.repair.refresh({ isFaulty, isWatched: isWatched(), tracks: this.liveTracks, keyframeIntervalSeconds });
  }

  /** Reports `external_session.active` again: a gateway that repeats the open command has lost the state of this node. */
  reportAgain(): void {
    if (this.isActive) this.reportActive();
  }

  /** The media worker died. The publisher may reconnect. */
  loseMedia(): void {
    this.publication = undefined;
    if (this.isActive) this.interrupt('worker_lost');
    this.context.noteEnd();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.isActive = false;
    const { publication } = this;
    this.publication = undefined;
    await this.repair.close();
    await publication?.close();
    this.context.noteEnd();
  }

  private assertFree(): void {
    if (this.isClosed) throw sessionEnded();
    if (this.publication?.isHolding(this.context.clock.now(), roomTimings.takeoverAfter))
      throw new ServiceError(
        'already_publishing',
        'Another publisher is live on this session. End it first, or retry once it is silent for 2 s.',
      );
  }

  private async replaceBy(publication: Publication, requestID?: string): Promise<void> {
    const former = this.publication;
    if (this.isClosed) {
      await publication.close();
      throw sessionEnded();
    }
    if (this.isActive) this.interrupt('publisher_lost');
    this.publication = publication;
    // The former publisher's health does not apply to the new one.
    if (this.reportedCodes.length > 0) this.reportHealth({ codes: [] });
    this.follow(publication, requestID);
    if (!former) return;
    this.listener.replaced(former);
    await former.close();
  }

  private follow(publication: Publication, requestID?: string): void {
    const ifCurrent = (act: () => void) => () => {
      if (this.publication === publication) act();
    };
    publication.onChange(ifCurrent(() => this.refresh(requestID)));
    const known: HealthCode[] = publication.hasBFrames ? ['b_frames'] : [];
    const health = new PublisherHealth(this.maxSource, known, this.context.clock, told =>
      ifCurrent(() => this.reportHealth(told))(),
    );
    this.health = health;
    publication.onTrack(track => health.follow(track));
  }

  private repairChanged(): void {
    const { health } = this;
    if (health && !this.isClosed && !sameHealth(this.codesOf(health.current), this.reportedCodes))
      this.reportHealth(health.current);
  }

  private codesOf({ codes }: Health): HealthCode[] {
    return codes.includes('b_frames') ? [...codes, ...this.repair.health] : codes;
  }

  private reportHealth(health: Health): void {
    const { keyframeIntervalSeconds } = health;
    this.reportedCodes = this.codesOf(health);
    this.report({
      type: 'external_session.health',
      health: [...this.reportedCodes],
      ...(keyframeIntervalSeconds !== undefined && { keyframeIntervalSeconds }),
    });
  }

  private activate(requestID?: string): void {
    this.isActive = true;
    this.repair.begin(this.health?.hasBFrames ?? false);
    this.reportActive(requestID);
    this.repairChanged();
    this.listener.activated(this);
  }

  private reportActive(requestID?: string): void {
    this.report({ type: 'external_session.active', tracks: this.publication?.describeTracks() ?? [] }, requestID);
  }

  private interrupt(reason: 'publisher_lost' | 'worker_lost' | 'node_draining'): void {
    // Viewers get the tracks of the publisher before the copies end, because its media may go on.
    void this.repair.reset();
    this.isActive = false;
    this.report({ type: 'external_session.interrupted', reason });
    this.listener.interrupted(this);
  }

  private report(fact: ExternalSessionFact, requestID?: string): void {
    this.context.logger.info({ sessionID: this.sessionID, requestID, type: fact.type }, 'external session changed');
    this.context.facts.report(this.sessionID, fact, requestID);
  }
}

function sessionEnded(): ServiceError {
  return new ServiceError('session_ended');
}
