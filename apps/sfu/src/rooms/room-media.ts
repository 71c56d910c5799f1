import type { Closeable } from '@rtms/bus';
import {
  type FeedDestination,
  type FeedTrack,
  type OpenFeedRequest,
  ServiceError,
  type SourceView,
} from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import type { MediaFeed, MediaRoom, PublishedTrack, ViewerOpener } from '../media/media-engine.js';
import type { RoomContext } from './room-context.js';

interface OpenedMedia {
  room: MediaRoom;
  viewers: ViewerOpener;
}

/** The media of a room on a media worker. When the worker dies, another worker takes over. */
export class RoomMedia implements Closeable {
  private opening: Promise<OpenedMedia> | undefined;
  private isWanted = false;
  private isClosed = false;

  constructor(
    private readonly meetingID: string,
    private readonly context: RoomContext,
    private readonly onLost: () => void,
  ) {}

  /** Returns the room's media. Opens it if needed. The next call retries after a failure. */
  async get(): Promise<MediaRoom> {
    return (await this.opened()).room;
  }

  /** As `get`: the viewers of the room, of which some may be on other nodes. */
  async viewers(): Promise<ViewerOpener> {
    return (await this.opened()).viewers;
  }

  /** Retries to open the media after the worker died and the first attempt failed. */
  async retry(): Promise<void> {
    if (this.isClosed || !this.isWanted || this.opening) return;
    await this.get().catch((error: unknown) => {
      this.context.logger.warn(
        { err: error, meetingID: this.meetingID },
        'no media worker can take the room yet; retrying',
      );
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { opening } = this;
    this.opening = undefined;
    const opened = await opening?.catch(() => undefined);
    await opened?.viewers.close();
    await opened?.room.close();
  }

  private opened(): Promise<OpenedMedia> {
    if (this.isClosed) return Promise.reject(new ServiceError('room_ended'));
    this.isWanted = true;
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<OpenedMedia> {
    try {
      const room = await this.context.engine.openRoom(this.meetingID);
      room.onLost(() => this.lose());
      return { room, viewers: this.context.viewersOf(room) };
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  private lose(): void {
    if (this.isClosed) return;
    this.opening = undefined;
    this.onLost();
    void this.retry();
  }
}

/** The source of a feed: an external session or a member. */
export interface MediaSource {
  readonly sourceID: string;
  /** Its live tracks, the most important of each kind first. */
  readonly liveTracks: readonly PublishedTrack[];
  /** The live tracks of a member's view. Absent: the source has one view. */
  tracksOf?(view: SourceView): readonly PublishedTrack[];
}

function tracksOf(source: MediaSource, view: SourceView | undefined): readonly PublishedTrack[] {
  return (view && source.tracksOf?.(view)) ?? source.liveTracks;
}

export async function requestKeyframes(source: MediaSource, view?: SourceView): Promise<void> {
  for (const track of tracksOf(source, view)) if (track.kind === 'video') await track.requestKeyframe();
}

interface OpenedFeed {
  sourceID: string;
  destinations: FeedDestination[];
  feed: MediaFeed;
}

/** The feeds of a room's sessions and members to transcoders. A feed closes with the last of its tracks. */
export class RoomFeeds {
  private readonly feeds = new Map<string, OpenedFeed>();
  private readonly changes = new SerialQueue();

  constructor(private readonly media: RoomMedia) {}

  has(feedID: string): boolean {
    return this.feeds.has(feedID);
  }

  /** Opens a feed, or replaces the feed with this id. Throws `source_not_active` while nobody publishes. */
  open({ feedID, destinations, view }: Omit<OpenFeedRequest, 'sourceID'>, source: MediaSource): Promise<FeedTrack[]> {
    return this.changes.run(async () => {
      await this.remove(feedID);
      // Take one track of each kind: a member may have two video tracks.
      const live = tracksOf(source, view);
      const tracks = destinations.flatMap(({ kind }) => live.find(track => track.kind === kind) ?? []);
      if (tracks.length === 0)
        throw new ServiceError('source_not_active', 'The source publishes no track of these kinds now.');
      const feed = await (await this.media.get()).openFeed(tracks, destinations);
      this.feeds.set(feedID, { sourceID: source.sourceID, destinations, feed });
      this.closeAfter(tracks, feedID, feed);
      return feed.tracks;
    });
  }

  /** Closes a feed. With `destinations`, only if the feed still has these destinations. */
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

  /** The media worker died, and with it the feeds. */
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
