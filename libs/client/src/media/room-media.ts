import type { RoomSignal, RosterEntry } from '@rtms/contracts';
import { connectionClosed, RtmsError, toRtmsError } from '../signalling/rtms-error.js';
import { retryDelay } from '../signalling/connection-phase.js';
import { LocalTrack, type PublishOptions } from './local-track.js';
import type { MediaItem, MediaPorts } from './media-ports.js';
import { OpenMedia } from './open-media.js';
import { type SubscribeOptions, Subscription } from './subscription.js';

/** `recovering`: media is being reopened. Published tracks and subscriptions are restored automatically. */
export type MediaState = 'idle' | 'connected' | 'recovering' | 'closed';

type MediaSignal = Exclude<RoomSignal, { type: 'speaker.changed' }>;

/** A track that ended may be part of a loss of media, which is reported a moment later. */
const vanishedMs = 2_000;

/** The tracks that a member publishes and receives. Restores them after each loss of the transports. */
export class RoomMedia {
  private opening: Promise<OpenMedia> | undefined;
  private readonly locals = new Set<LocalTrack>();
  private readonly subscriptions = new Set<Subscription>();
  private readonly underWay = new Set<MediaItem>();
  /** Subscriptions that the service replaced while some were under way: the ids of these may not be known yet. */
  private readonly replaced = new Set<string>();
  private current: MediaState = 'idle';

  constructor(
    private readonly ports: MediaPorts,
    private readonly onState: (state: MediaState) => void,
  ) {}

  get state(): MediaState {
    return this.current;
  }

  async publish(track: MediaStreamTrack, options: PublishOptions): Promise<LocalTrack> {
    if (this.local(options.source))
      throw new RtmsError(
        'CONFLICT',
        `The ${options.source} is already published. Unpublish it first.`,
        'already_publishing',
      );
    const local = new LocalTrack(track, options, this.ports.send, async item => {
      if (!this.underWay.has(item)) await this.establish(item);
    });
    this.locals.add(local);
    local.on('ended', () => this.locals.delete(local));
    return this.begin(local);
  }

  local(source: PublishOptions['source']): LocalTrack | undefined {
    return [...this.locals].find(local => local.source === source);
  }

  /** Subscribes to a track. A repeated call returns the existing subscription. */
  async subscribe(trackID: string, options: SubscribeOptions = {}): Promise<Subscription> {
    const former = [...this.subscriptions].find(subscription => subscription.trackID === trackID);
    if (former?.subscriptionID !== undefined) return former;
    if (former)
      throw new RtmsError('CONFLICT', 'A subscription to this track is already being opened.', 'already_exists');
    const subscription = new Subscription(trackID, options, this.ports.send);
    this.subscriptions.add(subscription);
    subscription.on('ended', () => this.subscriptions.delete(subscription));
    return this.begin(subscription);
  }

  hear(signal: MediaSignal): void {
    switch (signal.type) {
      case 'media.lost':
        return this.reopen();
      case 'subscription.ended':
        return this.onEnded(signal);
      case 'subscription.layers':
        return this.subscription(signal.subscriptionID)?.emit('layers.changed', { layers: signal.layers });
      default:
        return signal satisfies never;
    }
  }

  /** A track that goes on from another encoder is subscribed to again, as after a loss of media. */
  private onEnded({ subscriptionID, isReplaced }: Extract<MediaSignal, { type: 'subscription.ended' }>): void {
    const subscription = this.subscription(subscriptionID);
    if (!isReplaced) return subscription?.end();
    if (subscription && !this.underWay.has(subscription)) return void this.restore(subscription);
    if (this.underWay.size > 0) this.replaced.add(subscriptionID);
  }

  /** Ends subscriptions to tracks that are no longer in the roster. */
  follow(former: readonly RosterEntry[], roster: readonly RosterEntry[]): void {
    const before = tracksOf(former);
    const now = tracksOf(roster);
    for (const local of this.locals) {
      const track = now.get(local.trackID ?? '');
      if (track) local.follow(track.state);
      else if (before.has(local.trackID ?? '')) this.vanish(local, local.trackID);
    }
    for (const subscription of [...this.subscriptions])
      if (before.has(subscription.trackID) && !now.has(subscription.trackID)) subscription.end();
  }

  close(): void {
    if (this.current === 'closed') return;
    this.shift('closed');
    for (const item of [...this.locals, ...this.subscriptions]) item.end();
    this.discard();
  }

  private async begin<Item extends MediaItem>(item: Item): Promise<Item> {
    try {
      await this.establish(item);
      return item;
    } catch (error) {
      item.end(toRtmsError(error));
      throw error;
    }
  }

  /** Retries until the item has started on media that is still open, and the service has not replaced it meanwhile. */
  private async establish(item: MediaItem): Promise<void> {
    this.underWay.add(item);
    try {
      for (;;) if (item.isEnded || (await this.establishOn(await this.open(), item))) return;
    } finally {
      this.underWay.delete(item);
      this.settle();
    }
  }

  private async establishOn(media: OpenMedia, item: MediaItem): Promise<boolean> {
    try {
      await item.establish(media);
      const isReplaced = item instanceof Subscription && this.replaced.delete(item.subscriptionID ?? '');
      if (media.isClosed || isReplaced) return false;
      this.underWay.delete(item);
      return true;
    } catch (error) {
      if (this.current === 'closed') throw connectionClosed();
      if (!media.isClosed) throw toRtmsError(error);
      return false;
    }
  }

  private open(): Promise<OpenMedia> {
    if (this.current === 'closed') return Promise.reject(connectionClosed());
    const opening = (this.opening ??= OpenMedia.open(this.ports, media => this.lose(media)));
    opening.catch(() => {
      if (this.opening === opening) this.opening = undefined;
    });
    return opening;
  }

  private lose(media: OpenMedia): void {
    if (!media.isClosed) this.reopen();
  }

  private reopen(): void {
    if (this.current === 'closed') return;
    this.discard();
    const items = [...this.locals, ...this.subscriptions];
    if (items.length > 0) this.shift('recovering');
    for (const item of items) if (!this.underWay.has(item)) void this.restore(item);
  }

  /** Retries until an attempt succeeds or an error is permanent. */
  private async restore(item: MediaItem, attempt = 0): Promise<void> {
    try {
      await this.establish(item);
    } catch (error) {
      const failure = toRtmsError(error);
      if (!failure.isTemporary || item.isEnded) return item.end(failure);
      this.underWay.add(item);
      this.ports.clock.after(retryDelay(attempt, this.ports.random()), () => void this.restore(item, attempt + 1));
    }
  }

  private discard(): void {
    const former = this.opening;
    this.opening = undefined;
    former?.then(
      media => media.close(),
      () => undefined,
    );
  }

  private vanish(local: LocalTrack, trackID: string | undefined): void {
    this.ports.clock.after(vanishedMs, () => {
      if (local.trackID === trackID && !this.underWay.has(local)) local.end();
    });
  }

  private subscription(subscriptionID: string): Subscription | undefined {
    return [...this.subscriptions].find(each => each.subscriptionID === subscriptionID);
  }

  private settle(): void {
    if (this.underWay.size > 0) return;
    this.replaced.clear();
    if (this.opening && this.current !== 'closed') this.shift('connected');
  }

  private shift(state: MediaState): void {
    if (this.current === state) return;
    this.current = state;
    this.onState(state);
  }
}

function tracksOf(roster: readonly RosterEntry[]): Map<string, RosterEntry['tracks'][number]> {
  const live = roster.flatMap(({ tracks }) => tracks).filter(({ state }) => state !== 'ended');
  return new Map(live.map(track => [track.trackID, track]));
}
