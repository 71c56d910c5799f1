import type { Closeable } from '@rtms/bus';
import {
  ServiceError,
  type ExternalSessionFact,
  type MediaKind,
  type OpenSessionRequest,
  type SessionStatistics,
  type SourceBounds,
} from '@rtms/contracts';
import type { MediaRoom, PublishedTrack } from '../media/media-engine.js';
import { parseOffer } from '../sdp/parse-offer.js';
import { toPublishedSections } from '../sdp/publish-parameters.js';
import type { MediaSource } from './media-source.js';
import type { Publication } from './publication.js';
import { PublisherHealth, type Health } from './publisher-health.js';
import { statisticsOf } from './track-statistics.js';
import { roomTimings, type RoomContext } from './room-context.js';
import { SerialQueue } from './serial-queue.js';
import { WhipPublication } from './whip-publication.js';

/** What a room does when one of its sessions comes and goes. */
export interface SessionListener {
  activated(session: Session): void;
  interrupted(session: Session): void;
  /** A newcomer took over. */
  replaced(former: Publication): void;
}

export interface PublishRequest {
  offer: string;
  /** Digest of the token. */
  openedBy: string;
  requestID: string;
}

/**
 * An external session on this node. It is known by command; its publisher comes, is lost, comes back or gives
 * way to a newcomer.
 */
export class Session implements MediaSource, Closeable {
  readonly sessionID: string;
  readonly kinds: readonly MediaKind[];
  private readonly maxSource: SourceBounds | undefined;
  private publication: Publication | undefined;
  private health: PublisherHealth | undefined;
  private isActive = false;
  /** What was last told of its health is that something is wrong. */
  private isUnwell = false;
  private isClosed = false;
  private readonly publishing = new SerialQueue();

  constructor(
    { sessionID, tracks, maxSource }: Omit<OpenSessionRequest, 'meetingID'>,
    private readonly context: RoomContext,
    private readonly listener: SessionListener,
  ) {
    this.sessionID = sessionID;
    this.kinds = tracks;
    this.maxSource = maxSource;
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

  /** Those that have not ended, also before the session is active. */
  get openTracks(): readonly PublishedTrack[] {
    return this.publication?.tracks.filter(({ state }) => state !== 'ended') ?? [];
  }

  /** How its open tracks arrive; one that ends meanwhile is left out. */
  async statistics(): Promise<SessionStatistics> {
    const tracks = await Promise.all(this.openTracks.map(statisticsOf));
    const measuredAt = new Date(this.context.clock.now()).toISOString();
    return { sessionID: this.sessionID, measuredAt, tracks: tracks.filter(track => track !== undefined) };
  }

  /** Takes a WHIP publisher in. Throws `already_publishing` while another one is there and was heard of late. */
  publish(openMedia: () => Promise<MediaRoom>, request: PublishRequest): Promise<WhipPublication> {
    const offer = parseOffer(request.offer);
    const sections = toPublishedSections(offer, this.kinds);
    return this.publishing.run(async () => {
      this.assertFree();
      const media = await openMedia();
      const by = { openedBy: request.openedBy, now: this.context.clock.now() };
      const publication = await WhipPublication.open(media, offer, sections, by);
      await this.replaceBy(publication, request.requestID);
      return publication;
    });
  }

  /** Takes a publisher in who comes as a member. Throws as `publish` does. */
  publishAs(publication: Publication): Promise<void> {
    return this.publishing.run(async () => {
      this.assertFree();
      await this.replaceBy(publication);
    });
  }

  /** A publisher comes while the node is drained. Throws: as `publish` does, else that it is to come again elsewhere. */
  async turnAway(): Promise<never> {
    this.assertFree();
    if (this.publication) await this.leave(this.publication);
    throw new ServiceError('controller_unavailable', 'The media node is being drained. Try again in a moment.');
  }

  /** That publisher is gone; another one may come. */
  async leave(publication: Publication): Promise<void> {
    if (this.publication === publication) {
      this.publication = undefined;
      if (this.isActive) this.interrupt('publisher_lost');
    }
    await publication.close();
    this.context.noteEnd();
  }

  /** One of its tracks came, went, or was paused or resumed. */
  tracksChanged(): void {
    if (!this.isActive) return;
    this.reportActive();
    this.listener.activated(this);
  }

  /** Compares what was reported with what is; called on every event and by the room's sweep. */
  refresh(requestID?: string): void {
    const state = this.publication?.state(this.context.clock.now(), roomTimings.lostAfter);
    if (state === 'live' && !this.isActive) this.activate(requestID);
    else if (state !== 'live' && this.isActive) this.interrupt('publisher_lost');
    if (state === 'live') void this.health?.watchPictures(this.openTracks);
  }

  /** Says again that it is active: whoever opens it anew has lost sight of this node in the meantime. */
  reportAgain(): void {
    if (this.isActive) this.reportActive();
  }

  /** Everything of the media worker is gone; the publisher may come again. */
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
    await publication?.close();
    this.context.noteEnd();
  }

  private assertFree(): void {
    if (this.isClosed) throw sessionEnded();
    if (this.publication?.isHolding(this.context.clock.now(), roomTimings.takeoverAfter))
      throw new ServiceError('already_publishing', 'Another publisher is live on this session.');
  }

  private async replaceBy(publication: Publication, requestID?: string): Promise<void> {
    const former = this.publication;
    if (this.isClosed) {
      await publication.close();
      throw sessionEnded();
    }
    this.publication = publication;
    if (this.isActive) this.interrupt('publisher_lost');
    // What was wrong with another publisher is no news of this one.
    if (this.isUnwell) this.reportHealth({ codes: [] });
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
    const health = new PublisherHealth(this.maxSource, this.context.clock, told =>
      ifCurrent(() => this.reportHealth(told))(),
    );
    this.health = health;
    publication.onTrack(track => health.follow(track));
  }

  private reportHealth({ codes, keyframeIntervalSeconds }: Health): void {
    this.isUnwell = codes.length > 0;
    this.report({
      type: 'external_session.health',
      health: codes,
      ...(keyframeIntervalSeconds !== undefined && { keyframeIntervalSeconds }),
    });
  }

  private activate(requestID?: string): void {
    this.isActive = true;
    this.reportActive(requestID);
    this.listener.activated(this);
  }

  private reportActive(requestID?: string): void {
    this.report({ type: 'external_session.active', tracks: this.publication?.describeTracks() ?? [] }, requestID);
  }

  private interrupt(reason: 'publisher_lost' | 'worker_lost'): void {
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
  return new ServiceError('session_ended', 'The external session has ended.');
}
