import { ServiceError, type FeedDestination, type FeedTrack } from '@rtms/contracts';
import type { MediaFeed, PublishedTrack } from '../media/media-engine.js';
import type { RoomMedia } from './room-media.js';
import { SerialQueue } from './serial-queue.js';
import type { MediaSource } from './media-source.js';

interface OpenedFeed {
  sourceID: string;
  destinations: FeedDestination[];
  feed: MediaFeed;
}

/** The copies of a room's sessions and members that go to transcoders. A feed goes with the last of its tracks. */
export class RoomFeeds {
  private readonly feeds = new Map<string, OpenedFeed>();
  private readonly changes = new SerialQueue();

  constructor(private readonly media: RoomMedia) {}

  has(feedID: string): boolean {
    return this.feeds.has(feedID);
  }

  /** Renews a feed of the same id. Throws `source_not_active` while nobody publishes. */
  open(feedID: string, source: MediaSource, destinations: FeedDestination[]): Promise<FeedTrack[]> {
    return this.changes.run(async () => {
      await this.remove(feedID);
      // One of each kind: a member may have two of video.
      const tracks = destinations.flatMap(({ kind }) => source.liveTracks.find(track => track.kind === kind) ?? []);
      if (tracks.length === 0) throw new ServiceError('source_not_active', 'The source publishes nothing of that now.');
      const feed = await (await this.media.get()).openFeed(tracks, destinations);
      this.feeds.set(feedID, { sourceID: source.sourceID, destinations, feed });
      this.closeAfter(tracks, feedID, feed);
      return feed.tracks;
    });
  }

  /** With destinations: unless it was renewed and goes elsewhere now. */
  close(feedID: string, destinations?: FeedDestination[]): Promise<void> {
    return this.changes.run(async () => {
      const opened = this.feeds.get(feedID);
      if (!opened || (destinations && !areSame(opened.destinations, destinations))) return;
      await this.remove(feedID);
    });
  }

  closeOf(sourceID: string): Promise<void> {
    return this.changes.run(async () => {
      for (const [feedID, opened] of [...this.feeds]) if (opened.sourceID === sourceID) await this.remove(feedID);
    });
  }

  closeAll(): Promise<void> {
    return this.changes.run(async () => {
      for (const feedID of [...this.feeds.keys()]) await this.remove(feedID);
    });
  }

  /** The media worker died and took them along. */
  lose(): void {
    this.feeds.clear();
  }

  private closeAfter(tracks: readonly PublishedTrack[], feedID: string, feed: MediaFeed): void {
    const closeIfOver = (): void => {
      if (this.feeds.get(feedID)?.feed !== feed || tracks.some(({ state }) => state !== 'ended')) return;
      this.feeds.delete(feedID);
      void feed.close();
    };
    for (const track of tracks) track.onEnded(closeIfOver);
  }

  private async remove(feedID: string): Promise<void> {
    const opened = this.feeds.get(feedID);
    this.feeds.delete(feedID);
    await opened?.feed.close();
  }
}

function areSame(some: readonly FeedDestination[], others: readonly FeedDestination[]): boolean {
  const addresses = (each: readonly FeedDestination[]) => each.map(({ ip, rtpPort }) => `${ip} ${rtpPort}`).join();
  return addresses(some) === addresses(others);
}
