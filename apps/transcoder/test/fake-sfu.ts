import type { Bus, Closeable } from '@rtms/bus';
import { sfuCommands, type FeedDestination, type FeedTrack } from '@rtms/contracts';

/** The media that a fake SFU node sends for a session. */
export interface FeedSource {
  readonly tracks: FeedTrack[];
  start(destinations: readonly FeedDestination[]): void;
  stop(): Promise<void>;
}

/** The commands of an SFU node that a transcoder uses, with sources that are not mediasoup. */
export class FakeSfu implements Closeable {
  readonly openFeeds = new Map<string, FeedSource>();
  private readonly destinations = new Map<string, FeedDestination[]>();
  keyframeRequests = 0;
  private responders: Closeable[] = [];

  private constructor(private readonly createSource: () => FeedSource) {}

  static async open(bus: Bus, nodeID: string, createSource: () => FeedSource): Promise<FakeSfu> {
    const sfu = new FakeSfu(createSource);
    sfu.responders = await Promise.all([
      bus.respond(sfuCommands.openFeed.forNode(nodeID), async ({ feedID, destinations }) => {
        await sfu.openFeeds.get(feedID)?.stop();
        const source = sfu.createSource();
        sfu.openFeeds.set(feedID, source);
        sfu.destinations.set(feedID, destinations);
        source.start(destinations);
        return { tracks: source.tracks };
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
