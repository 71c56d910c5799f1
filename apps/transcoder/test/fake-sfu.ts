import type { Bus, Closeable } from '@rtms/bus';
import { ServiceError, sfuCommands, type FeedDestination, type FeedTrack, type OpenFeedRequest } from '@rtms/contracts';

/** The media that a fake SFU node sends for a session. */
export interface FeedSource {
  readonly tracks: FeedTrack[];
  start(destinations: readonly FeedDestination[]): void;
  stop(): Promise<void>;
}

/** A session or a view of a member has one source for each of its feeds. */
export type CreateSource = (request: OpenFeedRequest) => FeedSource;

/** The commands of an SFU node that a transcoder uses, with sources that are not mediasoup. */
export class FakeSfu implements Closeable {
  readonly openFeeds = new Map<string, FeedSource>();
  private readonly destinations = new Map<string, FeedDestination[]>();
  keyframeRequests = 0;
  /** No source publishes. */
  isSilent = false;
  private responders: Closeable[] = [];

  private constructor(private readonly createSource: CreateSource) {}

  static async open(bus: Bus, nodeID: string, createSource: CreateSource): Promise<FakeSfu> {
    const sfu = new FakeSfu(createSource);
    sfu.responders = await Promise.all([
      bus.respond(sfuCommands.openFeed.forNode(nodeID), async request => {
        const { feedID, destinations } = request;
        if (sfu.isSilent) throw new ServiceError('source_not_active', 'The source publishes nothing now.');
        const before = sfu.openFeeds.get(feedID);
        const source = sfu.createSource(request);
        sfu.openFeeds.set(feedID, source);
        sfu.destinations.set(feedID, destinations);
        await before?.stop();
        // On a busy machine a transcoder asks again before the answer, or leaves.
        if (sfu.openFeeds.get(feedID) !== source)
          throw new ServiceError('not_found', 'The feed was opened again, or closed.');
        source.start(destinations);
        const kinds = destinations.map(({ kind }) => kind);
        return { tracks: source.tracks.filter(({ kind }) => kinds.includes(kind)) };
      }),
      bus.respond(sfuCommands.closeFeed.forNode(nodeID), async ({ feedID, destinations }) => {
        const isOther = JSON.stringify(destinations) !== JSON.stringify(sfu.destinations.get(feedID));
        if (destinations && isOther) return {};
        const source = sfu.openFeeds.get(feedID);
        sfu.openFeeds.delete(feedID);
        await source?.stop();
        return {};
      }),
      bus.respond(sfuCommands.requestKeyframe.forNode(nodeID), () => {
        sfu.keyframeRequests += 1;
        return Promise.resolve({});
      }),
    ]);
    return sfu;
  }

  async close(): Promise<void> {
    const sources = [...this.openFeeds.values()];
    this.openFeeds.clear();
    await Promise.all([...this.responders.map(each => each.close()), ...sources.map(source => source.stop())]);
  }
}
