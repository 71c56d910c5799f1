import type { types } from 'mediasoup';
import type { FeedDestination } from '@rtms/contracts';
import { closedError } from '../media-errors.js';
import { Listeners } from '../listeners.js';
import type { MediaRoom, PublishedTrack } from '../media-engine.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';
import { MediasoupFeed } from './mediasoup-feed.js';
import { MediasoupPublisher } from './mediasoup-publisher.js';
import { MediasoupViewer } from './mediasoup-viewer.js';

/**
 * Seconds without an ICE consent check before a peer counts as lost (RFC 7675 allows 30; clients check every 2.5 to 6 s).
 * Publishers have none: some encoders never repeat a check while they send, so what they send is looked at instead.
 */
const consentSeconds = { viewer: 15, publisher: 0 };

/** A room is a router of one worker. */
export class MediasoupRoom implements MediaRoom, WorkerRoom {
  private readonly publishers = new Set<MediasoupPublisher>();
  private readonly viewers = new Set<MediasoupViewer>();
  private readonly feeds = new Set<MediasoupFeed>();
  private readonly lost = new Listeners<[]>();
  private readonly closing = new Listeners<[]>();
  private closed = false;

  private constructor(
    readonly meetingID: string,
    private readonly worker: MediaWorker,
    private readonly router: types.Router,
  ) {
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

  async openViewer(): Promise<MediasoupViewer> {
    const transport = await this.createTransport(consentSeconds.viewer);
    const viewer: MediasoupViewer = new MediasoupViewer(
      transport,
      () => this.viewers.delete(viewer),
      count => this.worker.reserve(count),
    );
    this.viewers.add(viewer);
    return viewer;
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
    await Promise.all([...this.publishers].map(publisher => publisher.sweep()));
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
    this.router.close();
    this.closing.emit();
  }

  private async createTransport(iceConsentTimeout: number): Promise<types.WebRtcTransport> {
    this.assertOpen();
    const webRtcServer = this.worker.server;
    return this.whileOpen(this.router.createWebRtcTransport({ webRtcServer, iceConsentTimeout }));
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
