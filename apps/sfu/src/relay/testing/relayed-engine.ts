import { Audiences } from '../../rooms/audiences.js';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { DrainState } from '@rtms/node';
import { createLogger } from '@rtms/logging';
import type { EngineCapabilities, EngineLoad, EngineStatus, MediaEngine, MediaRoom } from '../../media/media-engine.js';
import { NodeRelaying, type RelayingOptions } from '../node-relaying.js';

export interface RelayingNode<Engine extends MediaEngine = MediaEngine> {
  relaying: NodeRelaying;
  engine: Engine;
  bus: MemoryBus;
  drain: DrainState;
}

/** The server of the bus, and the clock of all nodes on it. */
export interface RelayingPlane {
  broker: MemoryBroker;
  clock: Clock;
}

/** A node that takes part in relaying, on a bus of its own. */
export async function startRelayingNode<Engine extends MediaEngine>(
  { broker, clock }: RelayingPlane,
  nodeID: string,
  engine: Engine,
  more: Partial<Pick<RelayingOptions, 'addressFault' | 'logger'>> = {},
  bus = new MemoryBus(broker),
): Promise<RelayingNode<Engine>> {
  const logger = createLogger({ service: 'sfu', level: 'silent' });
  const drain = new DrainState();
  const audiences = new Audiences(clock, () => engine.load().capacity);
  const relaying = new NodeRelaying({ nodeID, engine, bus, logger, clock, drain, audiences, ...more });
  await relaying.start();
  return { relaying, engine, bus, drain };
}

/** The room, with its viewers on this node or on other nodes. */
export async function openRelayedRoom({ relaying, engine }: RelayingNode, meetingID: string): Promise<MediaRoom> {
  const room = await engine.openRoom(meetingID);
  const viewers = relaying.viewersOf(room);
  const open: Pick<MediaRoom, 'openViewer' | 'close'> = {
    openViewer: numbers => viewers.openViewer(numbers),
    close: async () => {
      await viewers.close();
      await room.close();
    },
  };
  return Object.assign(Object.create(room) as MediaRoom, open);
}

/** An engine that has no place for viewers of its own: all of them are on another node's engine. */
export class RelayedEngine<Engine extends MediaEngine> implements MediaEngine {
  private readonly rooms = new WeakMap<MediaRoom, Promise<MediaRoom>>();

  private constructor(
    readonly owner: RelayingNode<Engine>,
    readonly relay: RelayingNode<Engine>,
  ) {}

  static async start<Engine extends MediaEngine>(
    start: (options: { workers: number; consumersPerWorker?: number }) => Promise<Engine>,
    options: { workers: number; consumersPerWorker?: number },
    clock: Clock,
  ): Promise<RelayedEngine<Engine>> {
    const plane = { broker: new MemoryBroker(clock), clock };
    const owner = await startRelayingNode(plane, 'owner', await start({ workers: 1, consumersPerWorker: 1 }));
    const relay = await startRelayingNode(plane, 'relay', await start(options));
    // The owner has heard of the relay.
    await owner.bus.settled();
    return new RelayedEngine(owner, relay);
  }

  get capabilities(): EngineCapabilities {
    return this.owner.engine.capabilities;
  }

  get payloadProfile(): MediaEngine['payloadProfile'] {
    return this.owner.engine.payloadProfile;
  }

  get statistics(): MediaEngine['statistics'] {
    return this.owner.engine.statistics;
  }

  async openRoom(meetingID: string): Promise<MediaRoom> {
    const room = await this.owner.engine.openRoom(meetingID);
    const opening = this.rooms.get(room) ?? openRelayedRoom(this.owner, meetingID);
    this.rooms.set(room, opening);
    return opening;
  }

  openOnEachWorker(): Promise<MediaRoom[]> {
    return this.owner.engine.openOnEachWorker();
  }

  load(): EngineLoad {
    return { ...this.relay.engine.load(), publishers: this.owner.engine.load().publishers };
  }

  status(): EngineStatus {
    return this.owner.engine.status();
  }

  workerPids(): number[] {
    return this.owner.engine.workerPids();
  }

  async close(): Promise<void> {
    for (const { relaying, engine, bus } of [this.owner, this.relay]) {
      await relaying.close();
      await engine.close();
      await bus.close();
    }
  }
}
