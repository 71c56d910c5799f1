import type { Closeable } from '@rtms/bus';
import { type ErrorReason, type PayloadNumbers, ServiceError } from '@rtms/contracts';
import type { MediaRoom, ViewerOpener, ViewerTransport } from '../media/media-engine.js';
import { SharedOpenings } from '../media/shared-openings.js';
import { rankRelays } from './choose-relay.js';
import { RelayedViewer } from './relayed-viewer.js';
import { type OwnerContext, RoomRelay } from './room-relay.js';

/** Errors that depend on the node, so that another node may succeed. */
const ofThePlace: readonly ErrorReason[] = ['controller_unavailable', 'capacity_reached', 'internal_error'];

/** Number of nodes that may fail for one viewer. More would take longer than viewers wait. Full nodes do not count. */
const attempts = 3;

/** ms. A node that failed gets no viewers for this long. */
const avoidedFor = 5_000;

/** Opens the viewers of a room: on this node while it has free tracks, else on relay nodes. Each relay is open while it has viewers. */
export class RoomViewers implements ViewerOpener, Closeable {
  private readonly relays = new SharedOpenings<string, RoomRelay>({
    close: relay => relay.close(),
    onEnded: (relay, listener) => relay.onClosed(listener),
  });

  constructor(
    private readonly room: MediaRoom,
    private readonly context: OwnerContext,
  ) {}

  /** If no node accepts the viewer, uses the reserved tracks of this node. */
  async openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport> {
    const relayed = this.room.hasPlaceForViewer ? undefined : await this.openElsewhere(numbers);
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
    this.context.nodes.avoid(failed.nodeID, avoidedFor);
    return this.room.openViewer(numbers);
  }

  close(): Promise<void> {
    return this.relays.closeAll();
  }

  /** Opens a viewer on another node; undefined if no node accepts it. */
  private async openElsewhere(numbers: PayloadNumbers | undefined): Promise<ViewerTransport | undefined> {
    const { nodes, logger } = this.context;
    let failures = 0;
    for (const { nodeID } of rankRelays(nodes.others(), each => this.relays.has(each))) {
      try {
        return await this.openAt(nodeID, numbers);
      } catch (error) {
        const { meetingID } = this.room;
        logger.info({ err: error, nodeID, meetingID }, 'a node refused a viewer of a room');
        if (error instanceof ServiceError && error.reason === 'capacity_reached') nodes.noteFull(nodeID);
        else if (++failures === attempts) return undefined;
      }
    }
    return undefined;
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
