import type { Closeable } from '@rtms/bus';
import type { NodeLoad, PayloadNumbers } from '@rtms/contracts';
import type { MediaRoom, ViewerTransport } from '../media/media-engine.js';
import { rankRelays } from './choose-relay.js';
import { RoomRelay, type OwnerContext } from './room-relay.js';

/** So many nodes are asked for a viewer's place; more would take longer than viewers wait. */
const attempts = 3;

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
    private readonly others: () => NodeLoad[],
  ) {}

  /** A viewer on another node; undefined where none takes it. */
  async openViewer(numbers: PayloadNumbers | undefined): Promise<ViewerTransport | undefined> {
    const ranked = rankRelays(this.others(), nodeID => this.opened.has(nodeID));
    for (const { nodeID } of ranked.slice(0, attempts)) {
      try {
        return await this.openAt(nodeID, numbers);
      } catch (error) {
        const { meetingID } = this.room;
        this.context.logger.info({ err: error, nodeID, meetingID }, 'a node does not take a viewer of a room');
      }
    }
    return undefined;
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
