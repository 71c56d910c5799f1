import type { types } from 'mediasoup';
import type { FeedDestination } from '@rtms/contracts';
import { closedError } from '../media-errors.js';
import { Listeners } from '../listeners.js';
import type { MediaRoom, PublishedTrack } from '../media-engine.js';
import { areOwnNumbers, type PayloadNumbers } from '../payload-numbers.js';
import { EgressRouters } from './egress-routers.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';
import { MediasoupFeed } from './mediasoup-feed.js';
import { MediasoupMembers } from './mediasoup-members.js';
import { MediasoupPublisher } from './mediasoup-publisher.js';
import { MediasoupViewer, type TrackOutlet } from './mediasoup-viewer.js';

/**
 * Seconds without an ICE consent check before a peer counts as lost (RFC 7675 allows 30; clients check every 2.5 to 6 s).
 * Publishers have none: some encoders never repeat a check while they send, so what they send is looked at instead.
 */
const consentSeconds = { viewer: 15, member: 15, publisher: 0 };

function ownOutlet(numbers: PayloadNumbers | undefined): TrackOutlet {
  const consume: TrackOutlet['consume'] = (track, transport, options) => track.consumeOn(transport, options);
  return { consume, ...(numbers && { numbers }) };
}

/** A room is a router of one worker. */
export class MediasoupRoom implements MediaRoom, WorkerRoom {
  private readonly publishers = new Set<MediasoupPublisher>();
  private readonly viewers = new Set<MediasoupViewer>();
  private readonly feeds = new Set<MediasoupFeed>();
  private readonly lost = new Listeners<[]>();
  private readonly closing = new Listeners<[]>();
  private readonly egress: EgressRouters;
  readonly members: MediasoupMembers;
  private closed = false;

  private constructor(
    readonly meetingID: string,
    private readonly worker: MediaWorker,
    private readonly router: types.Router,
  ) {
    this.egress = new EgressRouters(worker);
    this.members = new MediasoupMembers(worker, router, () => this.createTransport(consentSeconds.member));
    worker.rooms.add(this);
  }

  static async open(meetingID: string, worker: MediaWorker): Promise<MediasoupRoom> {
    const router = await worker.createRouter().catch((error: unknown) => {
      throw worker.closed ? closedError() : error;
    });
    return new MediasoupRoom(meetingID, worker, router);
  }

  async openPublisher(): Promise<MediasoupPublisher> {
    const transport = await this.createTransport(consentSeconds.publisher);
    const publisher: MediasoupPublisher = new MediasoupPublisher(transport, this.router, () => {
      this.publishers.delete(publisher);
      this.worker.publishers--;
    });
    this.publishers.add(publisher);
    this.worker.publishers++;
    return publisher;
  }

  async openViewer(numbers?: PayloadNumbers): Promise<MediasoupViewer> {
    if (!numbers || areOwnNumbers(numbers)) return this.openViewerOn(this.router, ownOutlet(numbers), () => undefined);
    this.assertOpen();
    const egress = await this.whileOpen(this.egress.acquire(numbers));
    const release = (): void => this.egress.release(egress);
    try {
      return await this.openViewerOn(egress.router, egress, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediasoupFeed> {
    this.assertOpen();
    const listen = this.worker.plainListenInfo();
    const feed = await this.whileOpen(MediasoupFeed.open({ router: this.router, listen, tracks, destinations }));
    this.feeds.add(feed);
    feed.onClosed(() => this.feeds.delete(feed));
    return feed;
  }

  onLost(listener: () => void): void {
    this.lost.add(listener);
  }

  onClosed(listener: () => void): void {
    this.closing.add(listener);
  }

  async sweep(): Promise<void> {
    await Promise.all([...[...this.publishers].map(publisher => publisher.sweep()), this.members.sweep()]);
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  lose(): void {
    this.closeNow();
    this.lost.emit();
    this.lost.clear();
  }

  private closeNow(): void {
    if (this.closed) return;
    this.closed = true;
    this.worker.rooms.delete(this);
    for (const opened of [...this.viewers, ...this.feeds, ...this.publishers]) opened.closeNow();
    this.members.closeNow();
    this.egress.closeNow();
    this.router.close();
    this.closing.emit();
  }

  private async openViewerOn(
    router: types.Router,
    outlet: TrackOutlet,
    onClosed: () => void,
  ): Promise<MediasoupViewer> {
    const transport = await this.createTransport(consentSeconds.viewer, router);
    const viewer: MediasoupViewer = new MediasoupViewer(
      transport,
      outlet,
      () => {
        this.viewers.delete(viewer);
        onClosed();
      },
      count => this.worker.reserve(count),
    );
    this.viewers.add(viewer);
    return viewer;
  }

  private async createTransport(iceConsentTimeout: number, router = this.router): Promise<types.WebRtcTransport> {
    this.assertOpen();
    const webRtcServer = this.worker.server;
    return this.whileOpen(router.createWebRtcTransport({ webRtcServer, iceConsentTimeout }));
  }

  private assertOpen(): void {
    if (this.closed) throw closedError();
  }

  private async whileOpen<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.router.closed ? closedError() : error;
    }
  }
}
