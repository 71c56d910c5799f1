import type { Closeable } from '@rtms/bus';
import { ServiceError, type PayloadNumbers } from '@rtms/contracts';
import type { MediaRoom, ViewerTransport } from '../media/media-engine.js';
import { SharedOpenings } from '../media/shared-openings.js';
import { rankRelays } from './choose-relay.js';
import { RoomRelay, type OwnerContext } from './room-relay.js';

/** So many nodes may fail at a viewer's place; more would take longer than viewers wait. Full ones answer at once. */
const attempts = 3;

/** ms. A node that failed a viewer gets no others for so long. */
const avoidedFor = 5_000;

/** The nodes that a room's tracks are piped to, each as long as it has viewers of the room. */
export class RoomRelays implements Closeable {
  private readonly relays = new SharedOpenings<string, RoomRelay>({
    close: relay => relay.close(),
    onEnded: (relay, listener) => relay.onClosed(listener),
  });

  constructor(
    private readonly room: MediaRoom,
    private readonly context: OwnerContext,
  ) {}

  /** A viewer on another node; undefined where none takes it. */
  async openViewer(numbers: PayloadNumbers | undefined): Promise<ViewerTransport | undefined> {
    const { nodes, logger } = this.context;
    let failures = 0;
    for (const { nodeID } of rankRelays(nodes.others(), each => this.relays.has(each))) {
      try {
        return await this.openAt(nodeID, numbers);
      } catch (error) {
        const { meetingID } = this.room;
        logger.info({ err: error, nodeID, meetingID }, 'a node does not take a viewer of a room');
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

  /** The relay is kept from here until the viewer is closed. */
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
