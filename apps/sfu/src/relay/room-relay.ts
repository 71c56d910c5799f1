import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { relayCommands, type PayloadNumbers, type PipeEnd, type RelayEvent, type ServiceError } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { nanoid } from 'nanoid';
import { Listeners } from '../media/listeners.js';
import { closedError } from '../media/media-errors.js';
import type { MediaRoom, RoomPipe } from '../media/media-engine.js';
import type { NodeLoads } from './node-loads.js';
import type { KeptRelay, RelayKeeper } from './relay-keeper.js';
import { RelayLink } from './relay-link.js';
import { relayTimings } from './relay-timings.js';
import { RelayedViewer } from './relayed-viewer.js';
import { TrackPipes } from './track-pipes.js';

/** ms. A node that media does not reach gets no viewers for so long. */
const avoidedFor = 60_000;

/** What an owner's relays work with. */
export interface OwnerContext {
  /** Of this node. */
  ownerID: string;
  bus: Bus;
  logger: Logger;
  clock: Clock;
  keeper: Pick<RelayKeeper, 'follow'>;
  nodes: Pick<NodeLoads, 'others' | 'noteFull' | 'avoid'>;
}

/** The owner's end of one of its rooms on another node. */
export class RoomRelay implements KeptRelay, Closeable {
  private readonly viewers = new Map<string, RelayedViewer>();
  /** Viewers that the relay is being asked for. */
  private readonly coming = new Set<string>();
  private readonly tracks: TrackPipes;
  private readonly closing = new Listeners<[]>();
  private readonly unfollow: () => void;
  private answeredAt: number;
  private isClosed = false;

  private constructor(
    private readonly link: RelayLink,
    private readonly pipe: RoomPipe,
    private readonly remote: PipeEnd,
    private readonly context: OwnerContext,
  ) {
    this.answeredAt = context.clock.now();
    this.tracks = new TrackPipes(link, pipe, () => void this.keep());
    this.unfollow = context.keeper.follow(link.relayID, this);
    pipe.onClosed(() => void this.close());
  }

  /** A pipe from the room to a new relay on that node. */
  static async open(nodeID: string, room: MediaRoom, context: OwnerContext): Promise<RoomRelay> {
    const link = new RelayLink(context.bus, context.logger, nodeID, `relay_${nanoid()}`);
    const { ownerID } = context;
    const pipe = await room.openPipe();
    try {
      const request = { ownerID, meetingID: room.meetingID, pipe: pipe.end };
      const { pipe: remote } = await link.ask(relayCommands.open, request);
      await pipe.connect(remote);
      return new RoomRelay(link, pipe, remote, context);
    } catch (error) {
      await pipe.close();
      link.tell(relayCommands.close, {});
      throw error;
    }
  }

  /** `onClosed` is called once, however the viewer ends. */
  async openViewer(numbers: PayloadNumbers | undefined, onClosed: () => void): Promise<RelayedViewer> {
    const viewerID = nanoid();
    this.coming.add(viewerID);
    try {
      const place = await this.link.ask(relayCommands.openViewer, { viewerID, ...(numbers && { numbers }) });
      if (this.isClosed) throw closedError();
      return this.admit(viewerID, place, onClosed);
    } catch (error) {
      this.link.tell(relayCommands.closeViewer, { viewerID });
      throw error;
    } finally {
      this.coming.delete(viewerID);
    }
  }

  onClosed(listener: () => void): void {
    if (this.isClosed) listener();
    else this.closing.add(listener);
  }

  hear(event: RelayEvent): void {
    switch (event.type) {
      case 'viewer.state':
        return this.viewers.get(event.viewerID)?.becomes(event.state);
      case 'viewer.layers':
        return this.viewers.get(event.viewerID)?.layersChange(event.sentID, event.layers);
      case 'dismissed':
        for (const viewer of this.viewers.values()) viewer.dismiss();
        return;
      case 'ended':
        void this.closeNow();
    }
  }

  /** Says what the relay shall have, and hears how its viewers are. */
  async keep(): Promise<void> {
    const asked = [...this.viewers.values()];
    const viewerIDs = [...this.viewers.keys(), ...this.coming];
    try {
      const wanted = { viewerIDs, tracks: this.tracks.list() };
      const { viewers, silent } = await this.link.ask(relayCommands.keep, wanted);
      this.answeredAt = this.context.clock.now();
      const states = new Map(viewers.map(({ viewerID, state }) => [viewerID, state]));
      for (const viewer of asked) viewer.becomes(states.get(viewer.viewerID) ?? 'closed');
      await this.missMedia(silent);
    } catch (error) {
      await this.missAnswer(error as ServiceError);
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.link.tell(relayCommands.close, {});
    await this.closeNow();
  }

  private admit(
    viewerID: string,
    place: Pick<RelayedViewer, 'ice' | 'fingerprints'>,
    onClosed: () => void,
  ): RelayedViewer {
    const { link, tracks } = this;
    const leave = (): void => {
      this.viewers.delete(viewerID);
      onClosed();
    };
    const viewer = new RelayedViewer({ viewerID, link, tracks, ...place, onClosed: leave });
    this.viewers.set(viewerID, viewer);
    return viewer;
  }

  /** A node without its bus cannot know, and waits. Otherwise the relay has a lease's time. */
  private async missAnswer({ reason }: ServiceError): Promise<void> {
    const { bus, clock } = this.context;
    if (!bus.isConnected()) this.answeredAt = clock.now();
    const isLapsed = clock.now() - this.answeredAt > relayTimings.lapseAfterMs;
    if ((reason !== 'not_found' && !isLapsed) || this.isClosed) return;
    const { nodeID, relayID } = this.link;
    this.context.logger.warn({ nodeID, relayID, reason, viewers: this.viewers.size }, 'a relay is lost');
    await this.close();
  }

  /** The addresses are wrong, or a firewall is between them: its viewers are better off elsewhere. */
  private async missMedia(silent: readonly string[]): Promise<void> {
    const { nodes, logger, clock } = this.context;
    const trackID = this.tracks.findMissed(silent, clock.now());
    if (trackID === undefined || this.isClosed) return;
    const { nodeID, relayID } = this.link;
    const [from, to] = [this.pipe.end, this.remote].map(({ address, port }) => ({ address, port }));
    logger.warn(
      { nodeID, relayID, trackID, from, to },
      'media does not reach a relay: is RELAY_ANNOUNCED_ADDRESS right?',
    );
    nodes.avoid(nodeID, avoidedFor);
    await this.close();
  }

  private async closeNow(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unfollow();
    for (const viewer of [...this.viewers.values()]) viewer.closeNow();
    await this.pipe.close();
    this.closing.emit();
  }
}
