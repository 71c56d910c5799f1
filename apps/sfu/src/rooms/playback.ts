import type { Closeable } from '@rtms/bus';
import type { Timer } from '@rtms/clock';
import {
  ServiceError,
  type EndReason,
  type MediaKind,
  type PayloadMatching,
  type PlaybackAccount,
  type PlaybackFact,
} from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import { parseOffer } from '../signalling/sdp/parse-offer.js';
import { toViewedSections } from '../signalling/sdp/receiver-capabilities.js';
import type { AudienceSeat, CountedPlayback } from './audiences.js';
import { roomTimings, type RoomContext } from './room-context.js';
import type { RoomMedia } from './room-media.js';
import type { Session } from './session.js';
import type { ViewerEventType } from './viewer-events.js';
import { Viewer } from './viewer.js';

/** Options of a playback. */
interface PlaybackOptions {
  playbackID: string;
  source: Session;
  kinds: readonly MediaKind[];
  payloadMatching: PayloadMatching;
  account?: PlaybackAccount | undefined;
  /** A viewer has arrived. */
  onViewer?: () => void;
}

interface WatchRequest {
  offer: string;
  /** SHA-256 digest of the token. */
  openedBy: string;
  requestID: string;
}

/** A playback on this node: all viewers that watch one session with its token. */
export class Playback implements Closeable, CountedPlayback {
  private readonly viewers = new Map<string, Viewer>();
  /** The number of viewer requests that are being answered. */
  private arriving = 0;
  private readonly seat: AudienceSeat;
  private reportedCount = 0;
  private isClosed = false;
  private nextCountAt = 0;
  private countingLater: Timer | undefined;

  constructor(
    private readonly options: PlaybackOptions,
    private readonly context: RoomContext,
  ) {
    this.seat = context.audiences.join(this, options.account);
  }

  get playbackID(): string {
    return this.options.playbackID;
  }

  get source(): Session {
    return this.options.source;
  }

  get kinds(): readonly MediaKind[] {
    return this.options.kinds;
  }

  /** Empty: an older gateway opened the playback. */
  get accountID(): string {
    return this.options.account?.accountID ?? '';
  }

  get state(): 'ready' | 'active' {
    return this.reportedCount > 0 ? 'active' : 'ready';
  }

  get viewerCount(): number {
    return this.viewers.size + this.arriving;
  }

  get isVideoWatched(): boolean {
    return this.viewerCount > 0 && this.kinds.includes('video');
  }

  get connectingCount(): number {
    let connecting = this.arriving;
    for (const { wasConnected } of this.viewers.values()) if (!wasConnected) connecting++;
    return connecting;
  }

  get isWatched(): boolean {
    return this.viewers.size > 0;
  }

  viewer(key: string): Viewer | undefined {
    return this.viewers.get(key);
  }

  listViewers(): Viewer[] {
    return [...this.viewers.values()];
  }

  /** Accepts a viewer. Throws `source_not_active` while nobody publishes, `capacity_reached` at a limit of the account. */
  async watch(media: RoomMedia, request: WatchRequest): Promise<Viewer> {
    this.seat.requirePlace();
    this.arriving++;
    this.options.onViewer?.();
    const viewer = await this.open(media, request).finally(() => this.arriving--);
    return this.admit(viewer, request.requestID);
  }

  /** Reports `playback.active` again: a gateway that repeats the open command has lost the state of this node. */
  reportAgain(): void {
    if (this.reportedCount > 0) this.report({ type: 'playback.active', viewerCount: this.reportedCount });
  }

  /** Closes a viewer that sent DELETE. Returns whether it was the last viewer. */
  async leave(key: string): Promise<'last' | 'others_remain'> {
    const viewer = this.viewers.get(key);
    if (!viewer) return 'others_remain';
    this.viewers.delete(key);
    await viewer.close();
    this.context.noteEnd();
    if (this.viewers.size === 0 && viewer.wasConnected) return 'last';
    this.countConnected();
    return 'others_remain';
  }

  /** Sends the tracks of a publisher that has reconnected to all viewers. */
  async resend(tracks: readonly PublishedTrack[]): Promise<void> {
    this.tell('active');
    await this.show(tracks);
  }

  /** Sends these tracks to all viewers in place of the former ones. */
  async show(tracks: readonly PublishedTrack[]): Promise<void> {
    const wanted = tracks.filter(({ kind }) => this.kinds.includes(kind));
    await Promise.all([...this.viewers.values()].map(viewer => this.orCut(viewer, viewer.resend(wanted))));
  }

  /** Sends an event to all viewers with an event stream. */
  tell(type: ViewerEventType, data?: object): void {
    for (const viewer of this.viewers.values()) viewer.events.emit(type, data);
  }

  /** Closes viewers that did not connect or reconnect in time. */
  async sweep(): Promise<void> {
    const now = this.context.clock.now();
    const overdue = [...this.viewers].filter(([, viewer]) => viewer.isOverdue(now));
    for (const [key, viewer] of overdue) {
      this.viewers.delete(key);
      await viewer.close();
    }
    if (overdue.length > 0) this.context.noteEnd();
    this.countConnected();
  }

  /** The media worker died, and with it the connections. */
  loseMedia(): void {
    this.viewers.clear();
    this.context.noteEnd();
    this.countConnected('worker_lost');
  }

  /** Closes the playback and reports `playback.ended`. A commanded end needs only `close`. */
  async end(reason: EndReason, requestID?: string): Promise<void> {
    await this.close();
    this.report({ type: 'playback.ended', reason }, requestID);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.seat.leave();
    this.countingLater?.cancel();
    const viewers = [...this.viewers.values()];
    this.viewers.clear();
    for (const viewer of viewers) await viewer.close();
    this.context.noteEnd();
  }

  private async open(media: RoomMedia, request: WatchRequest): Promise<Viewer> {
    const offer = parseOffer(request.offer);
    const tracks = this.source.shownTracks.filter(({ kind }) => this.kinds.includes(kind));
    if (tracks.length === 0)
      throw new ServiceError(
        'source_not_active',
        'Nobody publishes on the source session now. Retry when it is active.',
      );
    const sections = toViewedSections(
      offer,
      tracks.map(({ kind }) => kind),
    );
    const { payloadProfile } = this.context.engine;
    const { openedBy } = request;
    const { payloadMatching } = this.options;
    const options = {
      offer,
      sections,
      tracks,
      isWaiting: () => this.kinds.includes('video') && this.source.repair.isAwaited,
      payloadMatching,
      payloadProfile,
      openedBy,
      now: this.context.clock.now(),
    };
    return Viewer.open(await media.viewers(), options);
  }

  private async admit(viewer: Viewer, requestID: string): Promise<Viewer> {
    if (this.isClosed) {
      await viewer.close();
      throw new ServiceError('playback_ended');
    }
    this.viewers.set(viewer.peer.key, viewer);
    viewer.events.emit('viewercount', { viewercount: this.reportedCount });
    const { transport } = viewer.peer;
    transport.onDismissed?.(() => viewer.events.emit('reconnect'));
    transport.onStateChange(state => {
      // This node closed the viewer.
      if (this.viewers.get(viewer.peer.key) !== viewer) return;
      // The media worker or the relay node died. The next sweep removes the viewer.
      if (state === 'closed') return viewer.events.emit('reconnect');
      if (state === 'connected') void this.orCut(viewer, viewer.start());
      this.countConnected('viewer_lost', requestID);
    });
    // The publisher may have reconnected with new tracks while this viewer was being opened.
    await viewer.resend(this.source.shownTracks.filter(({ kind }) => this.kinds.includes(kind)));
    return viewer;
  }

  /** Closes a viewer that receives no media, so that its player reconnects. */
  private async orCut(viewer: Viewer, sending: Promise<void>): Promise<void> {
    try {
      await sending;
    } catch (error) {
      this.context.logger.warn({ err: error, playbackID: this.playbackID }, 'cannot send to a viewer; closing it');
      await viewer.peer.close();
    }
  }

  /**
   * Reports the first viewer and the loss of the last one at once, and other counts at most once a second. A thousand viewers
   * that connect together must not cause a thousand facts.
   */
  private countConnected(reason: 'viewer_lost' | 'worker_lost' = 'viewer_lost', requestID?: string): void {
    const viewerCount = [...this.viewers.values()].filter(viewer => viewer.isConnected).length;
    if (this.isClosed || viewerCount === this.reportedCount) return;
    const { clock } = this.context;
    const waitMs = this.nextCountAt - clock.now();
    if (viewerCount > 0 && this.reportedCount > 0 && waitMs > 0) {
      this.countingLater ??= clock.after(waitMs, () => {
        this.countingLater = undefined;
        this.countConnected();
      });
      return;
    }
    this.nextCountAt = clock.now() + roomTimings.viewerCountsEvery;
    this.reportedCount = viewerCount;
    this.tell('viewercount', { viewercount: viewerCount });
    if (viewerCount > 0) this.report({ type: 'playback.active', viewerCount }, requestID);
    else this.report({ type: 'playback.idle', reason });
  }

  private report(fact: PlaybackFact, requestID?: string): void {
    this.context.logger.info({ playbackID: this.playbackID, requestID, type: fact.type }, 'playback changed');
    this.context.facts.report(this.playbackID, fact, requestID);
  }
}
