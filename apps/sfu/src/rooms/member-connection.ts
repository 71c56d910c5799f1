import type { Closeable } from '@rtms/bus';
import { LRUCache } from 'lru-cache';
import {
  kindOfSource,
  type PublishTrackRequest,
  ServiceError,
  type SourceView,
  type SubscriptionParameters,
  type TrackSource,
  viewOfSource,
} from '@rtms/contracts';
import type {
  DtlsRole,
  Fingerprint,
  MemberMedia,
  MemberReceiver,
  MemberSender,
  MemberTransport,
  PublishedTrack,
  MemberSubscription,
} from '../media/media-engine.js';
import type { Session } from './session.js';
import { parseCapabilities, parseLayers, parseRtpParameters } from './member-parameters.js';
import { MemberPublication } from './publication.js';
import type { RoomContext } from './room-context.js';

/** One of a member's two connections: its transport, and how long the transport has been lost. */
abstract class MemberConnection<Transport extends MemberTransport = MemberTransport> implements Closeable {
  private isConnecting = false;
  private lostSince: number | undefined;

  constructor(readonly transport: Transport) {}

  get transportID(): string {
    return this.transport.parameters.transportID;
  }

  /** Idempotent: the media worker accepts the parameters once. */
  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    if (this.isConnecting) return;
    this.isConnecting = true;
    try {
      await this.transport.connect(remote);
    } catch (error) {
      this.isConnecting = false;
      throw error;
    }
  }

  /** Returns whether the connection has been lost for at least `limit` ms. Call it regularly. */
  isOverdue(now: number, limit: number): boolean {
    if (this.transport.state !== 'lost') {
      this.lostSince = undefined;
      return false;
    }
    this.lostSince ??= now;
    return now - this.lostSince >= limit;
  }

  /** Gives up a lost connection. Its tracks and subscriptions end with events. */
  async drop(): Promise<void> {
    await this.transport.close();
  }

  abstract close(): Promise<void>;
}

export interface MemberOptions {
  meetingID: string;
  participantID: string;
  /** The external session as which the member publishes. */
  session: Session | undefined;
}

interface SentSource {
  track: PublishedTrack;
  /** The request as JSON, to recognise a repeated request. */
  request: string;
}

/** A feed takes one track of each kind: the first in this order. */
const order: readonly TrackSource[] = ['microphone', 'camera', 'screen', 'screenAudio'];

/** The sending connection of a member and its tracks. Publishes as an external session if the member has one. */
export class MemberSending extends MemberConnection<MemberSender> {
  private readonly sources = new Map<TrackSource, SentSource>();
  private publication: MemberPublication | undefined;

  constructor(
    transport: MemberSender,
    private readonly media: MemberMedia,
    private readonly options: MemberOptions,
    private readonly context: RoomContext,
  ) {
    super(transport);
  }

  get tracks(): PublishedTrack[] {
    return this.tracksFrom(order);
  }

  tracksOf(view: SourceView): PublishedTrack[] {
    return this.tracksFrom(order.filter(source => viewOfSource(source) === view));
  }

  private tracksFrom(sources: readonly TrackSource[]): PublishedTrack[] {
    return sources.flatMap(source => this.sources.get(source)?.track ?? []);
  }

  /** Publishes at most one track of each source. A repeated request returns the same track. */
  async publish({ source, rtpParameters, maxBitrate }: Omit<PublishTrackRequest, 'participantID'>) {
    const request = JSON.stringify(rtpParameters);
    const former = this.sources.get(source);
    if (former?.request === request) return former.track;
    if (former)
      throw new ServiceError(
        'already_publishing',
        `The member already publishes its ${source}. Close that track first.`,
      );
    const kind = kindOfSource(source);
    const parameters = parseRtpParameters(kind, rtpParameters);
    const publication = await this.publicationFor(source);
    if (maxBitrate !== undefined) await this.transport.limitBitrate(maxBitrate);
    const track = await this.transport.publish(kind, parameters);
    this.keep(source, { track, request });
    publication?.add(track);
    if (publication) this.options.session?.tracksChanged();
    if (source === 'microphone') await this.media.watchSpeaker(track);
    return track;
  }

  async closeTrack(trackID: string): Promise<boolean> {
    const [source, sent] = [...this.sources].find(([, { track }]) => track.trackID === trackID) ?? [];
    if (!source || !sent) return false;
    this.sources.delete(source);
    await sent.track.close();
    return true;
  }

  async close(): Promise<void> {
    this.sources.clear();
    await this.leave();
  }

  override async drop(): Promise<void> {
    await super.drop();
    await this.leave();
  }

  private async leave(): Promise<void> {
    if (this.publication) await this.options.session?.leave(this.publication);
    await this.transport.close();
  }

  /** An external session has one publisher with one track of each kind. */
  private async publicationFor(source: TrackSource): Promise<MemberPublication | undefined> {
    const { session } = this.options;
    if (!session) return undefined;
    const kind = kindOfSource(source);
    if (!session.kinds.includes(kind))
      throw new ServiceError(
        'invalid_request',
        `The external session does not publish ${kind}. Its tracks are: ${session.kinds.join(', ')}.`,
      );
    if (this.tracks.some(track => track.kind === kind))
      throw new ServiceError(
        'already_publishing',
        `The external session already has a ${kind} track. Close that track first.`,
      );
    if (this.publication && session.current === this.publication) return this.publication;
    const publication = new MemberPublication(this.transport, session.kinds, this.context.clock.now());
    await session.publishAs(publication);
    this.publication = publication;
    return publication;
  }

  private keep(source: TrackSource, sent: SentSource): void {
    const { meetingID, participantID } = this.options;
    const { trackID } = sent.track;
    this.sources.set(source, sent);
    sent.track.onEnded(() => {
      // Send no event if a command closed it.
      if (this.sources.get(source) !== sent) return;
      this.sources.delete(source);
      this.context.announce({ type: 'track.ended', meetingID, participantID, trackID });
    });
  }
}

export interface SubscriptionChange {
  paused?: boolean | undefined;
  layers?: unknown;
}

/** A publisher's track, and the copy of it that members receive. */
export interface ShownTrack {
  track: PublishedTrack;
  shown: PublishedTrack;
  /** Whether the member must wait for another copy. `showAgain` ends the wait. */
  isWaiting: () => boolean;
}

interface OpenSubscription extends ShownTrack {
  subscription: MemberSubscription;
  /** The member has resumed it, and waits. */
  isAwaited: boolean;
}

const mostReplaced = 50;

/** The receiving connection of a member and its subscriptions. */
export class MemberReceiving extends MemberConnection<MemberReceiver> {
  private readonly subscriptions = new Map<string, OpenSubscription>();
  /** Ids of subscriptions for which the client may not know yet that it must subscribe again. */
  private readonly replaced = new LRUCache<string, true>({ max: mostReplaced });

  constructor(
    transport: MemberReceiver,
    private readonly options: MemberOptions,
    private readonly context: RoomContext,
  ) {
    super(transport);
  }

  /** Opens a paused subscription. A repeated call for a track returns the same subscription. */
  async subscribe(wanted: ShownTrack, rtpCapabilities: unknown): Promise<SubscriptionParameters> {
    const capabilities = parseCapabilities(rtpCapabilities);
    const { track, shown } = wanted;
    const former = this.find(track.trackID);
    if (former) former.isAwaited = false;
    await former?.subscription.pause();
    const subscription = former?.subscription ?? (await this.transport.subscribe(shown, capabilities));
    if (!former) this.keep({ ...wanted, subscription, isAwaited: false });
    return { ...subscription.parameters, trackID: track.trackID };
  }

  isReceiving(trackID: string): boolean {
    return this.find(trackID) !== undefined;
  }

  /** Ends the subscriptions whose track is shown by another copy now: the client subscribes again. Starts those that have waited. */
  async showAgain(shownOf: (track: PublishedTrack) => PublishedTrack): Promise<void> {
    for (const [subscriptionID, open] of [...this.subscriptions]) {
      const { track, shown, subscription } = open;
      if (track.state === 'ended') continue;
      if (shownOf(track).trackID === shown.trackID) {
        if (open.isAwaited) await this.pauseOrResume(open, false);
        continue;
      }
      this.replaced.set(subscriptionID, true);
      this.end(subscriptionID, true);
      await subscription.close();
    }
  }

  /** Throws `not_found` if it does not exist. */
  async update(subscriptionID: string, { paused, layers }: SubscriptionChange): Promise<void> {
    const wanted = layers === undefined ? undefined : parseLayers(layers);
    const open = this.subscriptions.get(subscriptionID);
    if (!open && this.replaced.has(subscriptionID)) return;
    if (!open) throw new ServiceError('not_found', 'The member has no subscription with this subscriptionID.');
    const { subscription } = open;
    if (wanted) {
      const { spatialLayer, temporalLayer } = wanted;
      await subscription.prefer({ spatialLayer, ...(temporalLayer !== undefined && { temporalLayer }) });
    }
    if (paused !== undefined) await this.pauseOrResume(open, paused);
  }

  async unsubscribe(subscriptionID: string): Promise<void> {
    const open = this.subscriptions.get(subscriptionID);
    this.subscriptions.delete(subscriptionID);
    await open?.subscription.close();
  }

  async close(): Promise<void> {
    this.subscriptions.clear();
    await this.transport.close();
  }

  private async pauseOrResume(open: OpenSubscription, paused: boolean): Promise<void> {
    open.isAwaited = !paused && open.isWaiting();
    if (paused) await open.subscription.pause();
    else if (!open.isAwaited) await open.subscription.resume();
  }

  private find(trackID: string): OpenSubscription | undefined {
    return [...this.subscriptions.values()].find(({ track }) => track.trackID === trackID);
  }

  private keep(open: OpenSubscription): void {
    const { meetingID, participantID } = this.options;
    const { subscription } = open;
    const { subscriptionID } = subscription.parameters;
    this.subscriptions.set(subscriptionID, open);
    const about = { meetingID, participantID, subscriptionID };
    subscription.onLayersChange(layers => this.context.announce({ type: 'subscription.layers', ...about, layers }));
    subscription.onEnded(() => this.end(subscriptionID));
  }

  /** Sends no event if a command or the end of the transport closed it. */
  private end(subscriptionID: string, isReplaced = false): void {
    if (!this.subscriptions.delete(subscriptionID)) return;
    const { meetingID, participantID } = this.options;
    const about = { meetingID, participantID, subscriptionID };
    this.context.announce({ type: 'subscription.ended', ...about, ...(isReplaced && { isReplaced }) });
  }
}
