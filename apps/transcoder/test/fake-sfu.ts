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
        await sfu.openFeeds.get(feedID)?.stop();
        const source = sfu.createSource(request);
        sfu.openFeeds.set(feedID, source);
        sfu.destinations.set(feedID, destinations);
        source.start(destinations);
        const kinds = destinations.map(({ kind }) => kind);
        return { tracks: source.tracks.filter(({ kind }) => kinds.includes(kind)) };
      }),
      bus.respond(sfuCommands.closeFeed.forNode(nodeID), async ({ feedID, destinations }) => {
        const isOther = JSON.stringify(destinations) !== JSON.stringify(sfu.destinations.get(feedID));
        if (destinations && isOther) return {};
        await sfu.openFeeds.get(feedID)?.stop();
        sfu.openFeeds.delete(feedID);
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
    await Promise.all(
      [...this.responders, ...[...this.openFeeds.values()].map(source => ({ close: () => source.stop() }))].map(item =>
        item.close(),
      ),
    );
  }
}
