import type { Bus, Closeable } from '@rtms/bus';
import type { NodeLoad } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { MediaEngine } from '../media/media-engine.js';
import { NodeLoads } from './node-loads.js';
import { RelayHost } from './relay-host.js';
import { RelayKeeper } from './relay-keeper.js';
import { RelayResponder } from './relay-responder.js';
import { defaultRelayTimings, type RelayTimings } from './relay-timings.js';
import { RelayingEngine } from './relaying-engine.js';
import { RoomRelays } from './room-relays.js';

export interface RelayingOptions {
  nodeID: string;
  engine: MediaEngine;
  bus: Bus;
  logger: Logger;
  isDraining(): boolean;
  timings?: RelayTimings;
}

/** A node's part in rooms that reach beyond their node: as their owner, and as a relay for others'. */
export class NodeRelaying implements Closeable {
  /** For rooms of this node. */
  readonly engine: RelayingEngine;
  readonly host: RelayHost;
  private readonly loads: NodeLoads;
  private readonly keeper: RelayKeeper;
  private readonly responder: RelayResponder;

  constructor(private readonly options: RelayingOptions) {
    const { nodeID, engine, bus, logger, timings = defaultRelayTimings } = options;
    this.loads = new NodeLoads(bus, () => this.ownLoad());
    this.keeper = new RelayKeeper(bus, nodeID, timings.keepEveryMs);
    this.host = new RelayHost({ ...options, timings });
    this.responder = new RelayResponder(nodeID, bus, logger, this.host, timings);
    const context = { ownerID: nodeID, bus, logger, timings, keeper: this.keeper };
    this.engine = new RelayingEngine(engine, room => new RoomRelays(room, context, () => this.loads.others()));
  }

  async start(): Promise<void> {
    await this.keeper.start();
    await this.responder.start();
    await this.loads.start();
  }

  /** Other SFU nodes that were heard of lately. */
  others(): NodeLoad[] {
    return this.loads.others();
  }

  /** This node is drained, or no longer. */
  tellLoad(): void {
    this.loads.tell();
  }

  /** Serves nobody any more. Rooms of this node may still be closed afterwards. */
  async close(): Promise<void> {
    await this.loads.close();
    await this.host.close();
    await this.responder.close();
    await this.keeper.close();
  }

  private ownLoad(): NodeLoad {
    const { nodeID, engine } = this.options;
    const { consumers: load, capacity } = engine.load();
    return { nodeID, load, capacity, draining: this.options.isDraining() };
  }
}
