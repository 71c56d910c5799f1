import type { Closeable } from '@rtms/bus';
import { ServiceError, type PayloadNumbers } from '@rtms/contracts';
import type { MediaRoom, ViewerTransport } from '../media/media-engine.js';
import { rankRelays } from './choose-relay.js';
import { RoomRelay, type OwnerContext } from './room-relay.js';

/** So many nodes may fail at a viewer's place; more would take longer than viewers wait. Full ones answer at once. */
const attempts = 3;

/** ms. A node that failed a viewer gets no others for so long. */
const avoidedFor = 5_000;

interface OpenedRelay {
  relay: Promise<RoomRelay>;
  viewers: number;
}

/** The nodes that a room's tracks are piped to, each as long as it has viewers of the room. */
export class RoomRelays implements Closeable {
  private readonly opened = new Map<string, OpenedRelay>();

  constructor(
    private readonly room: MediaRoom,
    private readonly context: OwnerContext,
  ) {}

  /** A viewer on another node; undefined where none takes it. */
  async openViewer(numbers: PayloadNumbers | undefined): Promise<ViewerTransport | undefined> {
    const { nodes, logger } = this.context;
    let failures = 0;
    for (const { nodeID } of rankRelays(nodes.others(), each => this.opened.has(each))) {
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

  async close(): Promise<void> {
    const all = [...this.opened.values()];
    this.opened.clear();
    await Promise.allSettled(all.map(async ({ relay }) => (await relay).close()));
  }

  /** The relay is kept from here until the viewer is closed. */
  private async openAt(nodeID: string, numbers: PayloadNumbers | undefined): Promise<ViewerTransport> {
    const opened = this.opened.get(nodeID) ?? this.open(nodeID);
    opened.viewers++;
    const leave = (): void => this.leave(nodeID, opened);
    try {
      return await (await opened.relay).openViewer(numbers, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private open(nodeID: string): OpenedRelay {
    const opened = { relay: RoomRelay.open(nodeID, this.room, this.context), viewers: 0 };
    this.opened.set(nodeID, opened);
    opened.relay.then(
      relay => relay.onClosed(() => this.forget(nodeID, opened)),
      () => this.forget(nodeID, opened),
    );
    return opened;
  }

  private leave(nodeID: string, opened: OpenedRelay): void {
    opened.viewers--;
    if (opened.viewers > 0) return;
    this.forget(nodeID, opened);
    opened.relay.then(
      relay => relay.close(),
      () => undefined,
    );
  }

  private forget(nodeID: string, opened: OpenedRelay): void {
    if (this.opened.get(nodeID) === opened) this.opened.delete(nodeID);
  }
}

function isCapacityReached(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'capacity_reached';
}
