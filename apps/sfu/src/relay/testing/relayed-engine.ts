import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { createLogger } from '@rtms/logging';
import { waitFor } from '@rtms/testing';
import type { EngineCapabilities, EngineLoad, EngineStatus, MediaEngine, MediaRoom } from '../../media/media-engine.js';
import { NodeRelaying, type RelayingOptions } from '../node-relaying.js';

export interface RelayingNode<Engine extends MediaEngine = MediaEngine> {
  relaying: NodeRelaying;
  engine: Engine;
  bus: MemoryBus;
}

/** A node that takes part in relaying, on a bus of its own. */
export async function startRelayingNode<Engine extends MediaEngine>(
  broker: MemoryBroker,
  nodeID: string,
  engine: Engine,
  more: Partial<Pick<RelayingOptions, 'timings' | 'isDraining' | 'addressFault' | 'logger'>> = {},
  bus = new MemoryBus(broker),
): Promise<RelayingNode<Engine>> {
  const logger = createLogger({ service: 'sfu', level: 'silent' });
  const relaying = new NodeRelaying({ nodeID, engine, bus, logger, isDraining: () => false, ...more });
  await relaying.start();
  return { relaying, engine, bus };
}

/** An engine that has no place for viewers of its own: all of them are on another node's engine. */
export class RelayedEngine<Engine extends MediaEngine> implements MediaEngine {
  private constructor(
    readonly owner: RelayingNode<Engine>,
    readonly relay: RelayingNode<Engine>,
  ) {}

  static async start<Engine extends MediaEngine>(
    start: (options: { workers: number; consumersPerWorker?: number }) => Promise<Engine>,
    options: { workers: number; consumersPerWorker?: number },
  ): Promise<RelayedEngine<Engine>> {
    const broker = new MemoryBroker();
    const owner = await startRelayingNode(broker, 'owner', await start({ workers: 1, consumersPerWorker: 1 }));
    const relay = await startRelayingNode(broker, 'relay', await start(options));
    await waitFor(() => owner.relaying.others().length === 1, { what: 'the owner to hear of the relay' });
    return new RelayedEngine(owner, relay);
  }

  get capabilities(): EngineCapabilities {
    return this.owner.engine.capabilities;
  }

  get payloadProfile(): MediaEngine['payloadProfile'] {
    return this.owner.engine.payloadProfile;
  }

  openRoom(meetingID: string): Promise<MediaRoom> {
    return this.owner.relaying.engine.openRoom(meetingID);
  }

  openOnEachWorker(): Promise<MediaRoom[]> {
    return this.owner.relaying.engine.openOnEachWorker();
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
