import type { Closeable } from '@rtms/bus';
import {
  type EndReason,
  type FeedDestination,
  type FeedTrack,
  type OpenFeedRequest,
  type OpenPlaybackRequest,
  type OpenSessionRequest,
  ServiceError,
  type SourceView,
} from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { Playback } from './playback.js';
import { type MediaSource, requestKeyframes, RoomFeeds, RoomMedia } from './room-media.js';
import type { RoomContext } from './room-context.js';
import { type Publication, WhipPublication } from './publication.js';
import { RoomMembers } from './room-members.js';
import { Session } from './session.js';
import type { SignalledPeer } from './signalled-peer.js';
import type { ViewerEventType } from './viewer-events.js';

/** The number of ended session URLs to remember, so that a late or repeated DELETE succeeds. */
const rememberedFarewells = 1000;

/** A room on this node: its external sessions and their playbacks, its members, and the feeds to transcoders. */
export class Room implements Closeable {
  private readonly sessions = new Map<string, Session>();
  private readonly playbacks = new Map<string, Playback>();
  private readonly ended = new Set<string>();
  private readonly farewells = new LRUCache<string, string>({ max: rememberedFarewells });
  readonly members: RoomMembers;
  readonly media: RoomMedia;
  private readonly feeds: RoomFeeds;

  constructor(
    readonly meetingID: string,
    private readonly context: RoomContext,
  ) {
    this.media = new RoomMedia(meetingID, context, () => this.loseMedia());
    this.feeds = new RoomFeeds(this.media);
    this.members = new RoomMembers(this, context);
  }

  /** Opens the room on a media worker. Throws `capacity_reached` if all are full. */
  async open(): Promise<void> {
    await this.media.get();
  }

  openSession(request: Omit<OpenSessionRequest, 'meetingID'>): void {
    const { sessionID } = request;
    const known = this.sessions.get(sessionID);
    if (known) return known.reportAgain();
    const session = new Session(request, this.context, {
      activated: source => this.resume(source),
      interrupted: source => this.interrupt(source),
      shownChanged: source => this.show(source),
      closeFeed: feedID => this.closeFeed(feedID),
      replaced: former => this.rememberPublication(former),
    });
    this.ended.delete(sessionID);
    this.sessions.set(sessionID, session);
  }

  openPlayback(request: Omit<OpenPlaybackRequest, 'meetingID'>): void {
    const { playbackID, sessionID, tracks: kinds, payloadMatching, account } = request;
    if (account) this.context.audiences.setLimits(account);
    const known = this.playbacks.get(playbackID);
    if (known) return known.reportAgain();
    this.ended.delete(playbackID);
    const source = this.session(sessionID);
    const onViewer = (): void => this.refreshRepair(source);
    const options = { playbackID, source, kinds, payloadMatching, account, onViewer };
    this.playbacks.set(playbackID, new Playback(options, this.context));
  }

  hasSession(sessionID: string): boolean {
    return this.sessions.has(sessionID);
  }

  hasPlayback(playbackID: string): boolean {
    return this.playbacks.has(playbackID);
  }

  hasFeed(feedID: string): boolean {
    return this.feeds.has(feedID);
  }

  /** Throws `session_ended` or `not_found`. */
  session(sessionID: string): Session {
    const session = this.sessions.get(sessionID);
    if (session) return session;
    if (this.ended.has(sessionID)) throw new ServiceError('session_ended');
    throw new ServiceError('not_found', 'No such external session in this room.');
  }

  /** Throws `playback_ended` or `not_found`. */
  playback(playbackID: string): Playback {
    const playback = this.playbacks.get(playbackID);
    if (playback) return playback;
    if (this.ended.has(playbackID)) throw new ServiceError('playback_ended');
    throw new ServiceError('not_found', 'No such playback in this room.');
  }

  /** The publisher sent DELETE: ends its session and the playbacks of the session. */
  async publisherLeaves(sessionID: string, key: string, requestID: string): Promise<void> {
    const { current } = this.session(sessionID);
    if (!(current instanceof WhipPublication) || current.peer.key !== key) return;
    await this.endSession(sessionID, 'publisher_left', requestID);
  }

  /** Ends the playbacks of a session, then the session, and reports both. */
  async endSession(sessionID: string, reason: EndReason, requestID?: string): Promise<void> {
    const session = this.sessions.get(sessionID);
    if (!session) return;
    for (const { playbackID } of this.playbacksOf(session))
      await this.endPlayback(playbackID, 'source_ended', requestID);
    await this.closeSession(sessionID);
    this.context.logger.info({ sessionID, requestID, reason }, 'external session ended');
    this.context.facts.report(sessionID, { type: 'external_session.ended', reason }, requestID);
  }

  async closeSession(sessionID: string): Promise<void> {
    const session = this.sessions.get(sessionID);
    if (!session) return;
    this.sessions.delete(sessionID);
    this.ended.add(sessionID);
    await this.feeds.closeOf(sessionID);
    await this.members.closeMember(sessionID);
    for (const { playbackID } of this.playbacksOf(session)) await this.closePlayback(playbackID);
    this.rememberPublication(session.current);
    await session.close();
  }

  async viewerLeaves(playbackID: string, key: string, requestID: string): Promise<void> {
    const playback = this.playback(playbackID);
    const viewer = playback.viewer(key);
    if (!viewer) return;
    this.remember(viewer.peer);
    if ((await playback.leave(key)) === 'last') await this.endPlayback(playbackID, 'viewer_left', requestID);
  }

  async closePlayback(playbackID: string): Promise<void> {
    const playback = this.takePlayback(playbackID);
    await playback?.close();
  }

  /** Digest of the token that opened an ended connection; undefined if there was none. */
  farewellOf(key: string): string | undefined {
    return this.farewells.get(key);
  }

  openFeed(request: OpenFeedRequest): Promise<FeedTrack[]> {
    return this.feeds.open(request, this.source(request.sourceID));
  }

  requestKeyframe(sourceID: string, view?: SourceView): Promise<void> {
    return requestKeyframes(this.source(sourceID), view);
  }

  hasSource(sourceID: string): boolean {
    return this.hasSession(sourceID) || this.members.has(sourceID);
  }

  /** Closes a member and its feeds. Idempotent. */
  async closeMember(participantID: string): Promise<void> {
    if (!this.hasSession(participantID)) await this.feeds.closeOf(participantID);
    await this.members.closeMember(participantID);
  }

  closeFeed(feedID: string, destinations?: FeedDestination[]): Promise<void> {
    return this.feeds.close(feedID, destinations);
  }

  /** True if a publisher, viewer or member uses the room. */
  get isInUse(): boolean {
    for (const session of this.sessions.values()) if (session.current) return true;
    for (const playback of this.playbacks.values()) if (playback.isWatched) return true;
    return !this.members.isEmpty;
  }

  listSessions(): Session[] {
    return [...this.sessions.values()];
  }

  listPlaybacks(): Playback[] {
    return [...this.playbacks.values()];
  }

  tellViewers(type: ViewerEventType): void {
    for (const playback of this.playbacks.values()) playback.tell(type);
  }

  /** Closes the media of publishers and members, who open it again on another node. */
  async dismiss(): Promise<void> {
    await this.members.dismiss();
    for (const session of this.sessions.values()) if (session.current) await session.leave(session.current);
  }

  /** Handles timeouts: silent publishers, viewers that do not connect, a missing media worker. */
  async sweep(): Promise<void> {
    for (const session of this.sessions.values()) {
      session.refresh();
      this.refreshRepair(session);
    }
    for (const playback of this.playbacks.values()) await playback.sweep();
    await this.members.sweep();
    await this.media.retry();
  }

  async close(): Promise<void> {
    const known = [...this.sessions.keys(), ...this.playbacks.keys(), ...this.ended];
    for (const sessionID of [...this.sessions.keys()]) await this.closeSession(sessionID);
    await this.members.close();
    await this.feeds.closeAll();
    await this.media.close();
    for (const resourceID of known) this.context.facts.forget(resourceID);
  }

  private async endPlayback(playbackID: string, reason: EndReason, requestID?: string): Promise<void> {
    await this.takePlayback(playbackID)?.end(reason, requestID);
  }

  private takePlayback(playbackID: string): Playback | undefined {
    const playback = this.playbacks.get(playbackID);
    this.playbacks.delete(playbackID);
    if (!playback) return undefined;
    this.ended.add(playbackID);
    for (const { peer } of playback.listViewers()) this.remember(peer);
    return playback;
  }

  /** Repairs the session's B-frames while a viewer or a member receives its video. */
  refreshRepair(session: Session): void {
    session.refreshRepair(
      () =>
        this.playbacksOf(session).some(({ isVideoWatched }) => isVideoWatched) ||
        session.liveTracks.some(track => track.kind === 'video' && this.members.isReceived(track)),
    );
  }

  private source(sourceID: string): MediaSource {
    return this.sessions.has(sourceID) || !this.members.has(sourceID)
      ? this.session(sourceID)
      : this.members.get(sourceID);
  }

  private remember({ key, openedBy }: SignalledPeer): void {
    this.farewells.set(key, openedBy);
  }

  private rememberPublication(publication: Publication | undefined): void {
    if (publication instanceof WhipPublication) this.remember(publication.peer);
  }

  private playbacksOf(session: Session): Playback[] {
    return this.listPlaybacks().filter(playback => playback.source === session);
  }

  private interrupt(source: Session): void {
    for (const playback of this.playbacksOf(source)) playback.tell('inactive');
    this.inBackground(this.feeds.closeOf(source.sessionID), 'cannot close the feeds of a session');
  }

  private resume(source: Session): void {
    this.refreshRepair(source);
    this.inBackground(this.members.watchSessions(), 'cannot watch the speaker of a room');
    for (const playback of this.playbacksOf(source)) {
      this.inBackground(playback.resend(source.shownTracks), 'cannot resume a playback');
    }
  }

  /** Sends the present tracks of a session to its viewers and members. Never rejects. */
  private async show(source: Session): Promise<void> {
    const showing = this.playbacksOf(source).map(playback => playback.show(source.shownTracks));
    await Promise.all([...showing, this.members.showAgain()]).catch((err: unknown) =>
      this.context.logger.warn({ err, meetingID: this.meetingID }, 'cannot show other tracks of a session'),
    );
  }

  private inBackground(work: Promise<void>, failure: string): void {
    work.catch((error: unknown) => this.context.logger.warn({ err: error, meetingID: this.meetingID }, failure));
  }

  private loseMedia(): void {
    this.context.logger.error({ meetingID: this.meetingID }, 'the media worker of a room died');
    this.feeds.lose();
    for (const session of this.sessions.values()) session.loseMedia();
    for (const playback of this.playbacks.values()) playback.loseMedia();
    this.members.loseMedia();
  }
}
