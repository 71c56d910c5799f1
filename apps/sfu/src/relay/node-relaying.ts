import { BusPermissionError, type Bus, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { NodeLoad } from '@rtms/contracts';
import type { DrainState } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { keptOf } from '../media/consumer-budget.js';
import type { MediaEngine } from '../media/media-engine.js';
import type { Audiences } from '../rooms/audiences.js';
import { NodeLoads } from './node-loads.js';
import { RelayHost } from './relay-host.js';
import { RelayKeeper } from './relay-keeper.js';
import { RelayResponder } from './relay-responder.js';
import { RelayingEngine } from './relaying-engine.js';
import { RoomRelays } from './room-relays.js';

export interface RelayingOptions {
  nodeID: string;
  engine: MediaEngine;
  bus: Bus;
  logger: Logger;
  clock: Clock;
  drain: DrainState;
  audiences: Audiences;
  /** Why media of other nodes does not find this one: it takes no part then. */
  addressFault?: string | undefined;
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
    const { nodeID, engine, bus, logger, clock, audiences } = options;
    this.loads = new NodeLoads(
      bus,
      () => this.ownLoad(),
      clock,
      load => audiences.hear(load.nodeID, load.audiences ?? {}),
    );
    this.keeper = new RelayKeeper(bus, nodeID, clock);
    this.host = new RelayHost(options);
    this.responder = new RelayResponder(nodeID, bus, logger, this.host);
    const context = { ownerID: nodeID, bus, logger, clock, keeper: this.keeper, nodes: this.loads };
    this.engine = new RelayingEngine(engine, room => new RoomRelays(room, context));
  }

  /** Where it may not take part, it serves the viewers of its rooms itself, as far as it can. */
  async start(): Promise<void> {
    const { logger, addressFault } = this.options;
    if (addressFault !== undefined) {
      logger.warn(
        { addressFault },
        'takes no part in relaying; where there are other SFU nodes, set RELAY_ANNOUNCED_ADDRESS',
      );
      return;
    }
    try {
      await this.open();
    } catch (error) {
      if (!(error instanceof BusPermissionError)) throw error;
      logger.warn({ err: error }, 'takes no part in relaying: the bus does not permit it');
      await this.close();
    }
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

  private async open(): Promise<void> {
    await this.keeper.start();
    await this.responder.start();
    await this.loads.start();
  }

  /** A room from elsewhere is not given what is kept of its worker either. */
  private ownLoad(): NodeLoad {
    const { nodeID, engine, audiences, drain } = this.options;
    const { consumers: load, capacity: whole } = engine.load();
    const capacity = whole - keptOf(engine.status().consumersPerWorker);
    return { nodeID, load, capacity, draining: drain.isDraining, audiences: audiences.counts() };
  }
}
