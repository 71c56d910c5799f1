import { type ErrorReason, type FeedDestination, type PayloadNumbers, ServiceError } from '@rtms/contracts';
import type { Closeable } from '@rtms/bus';
import type {
  MediaFeed,
  MediaRoom,
  MemberMedia,
  PublishedTrack,
  PublisherTransport,
  RoomPipe,
  ViewerTransport,
} from '../media/media-engine.js';
import { SharedOpenings } from '../media/shared-openings.js';
import { RelayedViewer } from './relayed-viewer.js';
import { rankRelays } from './choose-relay.js';
import { type OwnerContext, RoomRelay } from './room-relay.js';

/** Errors that depend on the node, so that another node may succeed. */
const ofThePlace: readonly ErrorReason[] = ['controller_unavailable', 'capacity_reached', 'internal_error'];

/** A room of this node. Its viewers go to other nodes when this node is full; everything else stays on this node. */
export class RelayingRoom implements MediaRoom {
  constructor(
    private readonly room: MediaRoom,
    private readonly relays: RoomRelays,
  ) {}

  get meetingID(): string {
    return this.room.meetingID;
  }

  get members(): MemberMedia {
    return this.room.members;
  }

  get hasPlaceForViewer(): boolean {
    return this.room.hasPlaceForViewer;
  }

  openPublisher(): Promise<PublisherTransport> {
    return this.room.openPublisher();
  }

  /** If no node accepts the viewer, uses the reserved tracks of this node. */
  async openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport> {
    const relayed = this.room.hasPlaceForViewer ? undefined : await this.relays.openViewer(numbers);
    return relayed ?? this.room.openViewer(numbers);
  }

  /** Avoids the relay that failed for a while, and serves the viewer here with the reserved tracks. */
  async openViewerInstead(
    failed: ViewerTransport,
    error: unknown,
    numbers?: PayloadNumbers,
  ): Promise<ViewerTransport | undefined> {
    const isOfThePlace = error instanceof ServiceError && ofThePlace.includes(error.reason);
    if (!(failed instanceof RelayedViewer) || !isOfThePlace) return undefined;
    this.relays.avoid(failed.nodeID);
    return this.room.openViewer(numbers);
  }

  openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediaFeed> {
    return this.room.openFeed(tracks, destinations);
  }

  openPipe(): Promise<RoomPipe> {
    return this.room.openPipe();
  }

  onLost(listener: () => void): void {
    this.room.onLost(listener);
  }

  async close(): Promise<void> {
    await this.relays.close();
    await this.room.close();
  }
}

/** Number of nodes that may fail for one viewer. More would take longer than viewers wait. Full nodes do not count. */
const attempts = 3;

/** ms. A node that failed gets no viewers for this long. */
const avoidedFor = 5_000;

/** A room's relays, one per node, each open while it has viewers. */
export class RoomRelays implements Closeable {
  private readonly relays = new SharedOpenings<string, RoomRelay>({
    close: relay => relay.close(),
    onEnded: (relay, listener) => relay.onClosed(listener),
  });

  constructor(
    private readonly room: MediaRoom,
    private readonly context: OwnerContext,
  ) {}

  /** Opens a viewer on another node; undefined if no node accepts it. */
  async openViewer(numbers: PayloadNumbers | undefined): Promise<ViewerTransport | undefined> {
    const { nodes, logger } = this.context;
    let failures = 0;
    for (const { nodeID } of rankRelays(nodes.others(), each => this.relays.has(each))) {
      try {
        return await this.openAt(nodeID, numbers);
      } catch (error) {
        const { meetingID } = this.room;
        logger.info({ err: error, nodeID, meetingID }, 'a node refused a viewer of a room');
        if (isCapacityReached(error)) nodes.noteFull(nodeID);
        else if (++failures === attempts) return undefined;
      }
    }
    return undefined;
  }

  avoid(nodeID: string): void {
    this.context.nodes.avoid(nodeID, avoidedFor);
  }

  close(): Promise<void> {
    return this.relays.closeAll();
  }

  /** Holds the relay open until the viewer closes. */
  private async openAt(nodeID: string, numbers: PayloadNumbers | undefined): Promise<ViewerTransport> {
    const open = (): Promise<RoomRelay> => RoomRelay.open(nodeID, this.room, this.context);
    const { opened, release } = await this.relays.acquire(nodeID, open);
    try {
      return await opened.openViewer(numbers, release);
    } catch (error) {
      release();
      throw error;
    }
  }
}

function isCapacityReached(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'capacity_reached';
}
