import { type Bus, BusPermissionError, type Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { NodeLoad } from '@rtms/contracts';
import { CommandResponder, type DrainState } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import { keptOf } from '../media/admission.js';
import type { MediaEngine, MediaRoom } from '../media/media-engine.js';
import type { Audiences } from '../rooms/audiences.js';
import { NodeMeter } from '../media/health/node-meter.js';
import { NodeLoads } from './node-loads.js';
import { RelayHost } from './relay-host.js';
import { RelayKeeper } from './relay-link.js';
import { RoomViewers } from './room-viewers.js';
import type { OwnerContext } from './room-relay.js';

export interface RelayingOptions {
  nodeID: string;
  engine: MediaEngine;
  bus: Bus;
  logger: Logger;
  clock: Clock;
  drain: DrainState;
  audiences: Audiences;
  /** Why media of other nodes cannot reach this node. The node then takes no part in relaying. */
  addressFault?: string | undefined;
}

/** Relaying on this node: as the owner of its rooms, and as a relay for other nodes' rooms. */
export class NodeRelaying implements Closeable {
  readonly host: RelayHost;
  readonly meter: NodeMeter;
  private readonly ownerContext: OwnerContext;
  private readonly loads: NodeLoads;
  private readonly keeper: RelayKeeper;
  private readonly responder: CommandResponder;

  constructor(private readonly options: RelayingOptions) {
    const { nodeID, bus, logger, clock, audiences } = options;
    this.loads = new NodeLoads(
      bus,
      () => this.ownLoad(),
      clock,
      load => audiences.hear(load.nodeID, load.audiences ?? {}),
    );
    this.keeper = new RelayKeeper(bus, nodeID, clock);
    this.meter = new NodeMeter(clock);
    this.host = new RelayHost({ ...options, nodeMeter: this.meter });
    this.responder = new CommandResponder({ bus, nodeID, role: 'sfu', logger });
    this.ownerContext = { ownerID: nodeID, bus, logger, clock, keeper: this.keeper, nodes: this.loads };
  }

  /** Starts relaying. If relaying is not possible, the node serves the viewers of its rooms alone. */
  async start(): Promise<void> {
    const { logger, addressFault } = this.options;
    if (addressFault !== undefined) {
      logger.warn(
        { addressFault },
        'this node does not relay; set RELAY_ANNOUNCED_ADDRESS if there are other SFU nodes',
      );
      return;
    }
    try {
      await this.open();
    } catch (error) {
      if (!(error instanceof BusPermissionError)) throw error;
      logger.warn({ err: error }, 'this node does not relay: the bus user has no permission for it');
      await this.end();
    }
  }

  /** The viewers of a room of this node, which may be on other nodes. */
  viewersOf(room: MediaRoom): RoomViewers {
    return new RoomViewers(room, this.ownerContext);
  }

  /** The recent loads of the other SFU nodes. */
  others(): NodeLoad[] {
    return this.loads.others();
  }

  /** Announces that the drain state has changed. */
  tellLoad(): void {
    this.loads.tell();
  }

  /** Stops relaying. Rooms of this node may be closed afterwards. */
  async close(): Promise<void> {
    this.meter.close();
    await this.end();
  }

  private async end(): Promise<void> {
    await this.loads.close();
    await this.host.close();
    await this.responder.close();
    await this.keeper.close();
  }

  private async open(): Promise<void> {
    await this.keeper.start();
    await this.responder.answerWith(this.host);
    await this.loads.start();
  }

  /** Announces the capacity without the reserved tracks, which relays must not use. */
  private ownLoad(): NodeLoad {
    const { nodeID, engine, audiences, drain } = this.options;
    const { used: load, capacity: whole } = engine.load();
    const capacity = whole - keptOf(engine.status().consumersPerWorker);
    return { nodeID, load, capacity, draining: drain.isDraining, audiences: audiences.counts() };
  }
}
