import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import { factStream } from '@rtms/contracts';
import { FactOutbox, Readiness, type KeepLease, type KeptLease } from '@rtms/health';
import { TokenVerifier, watchKeys } from '@rtms/tokens';
import type { Closeable } from '@rtms/bus';
import { CommandResponder } from './commands/command-responder.js';
import { Drain } from './commands/drain.js';
import { NodeState } from './commands/node-state.js';
import type { MediaEngine } from './media/media-engine.js';
import { NodeRelaying } from './relay/node-relaying.js';
import { RoomRegistry } from './rooms/room-registry.js';
import { BUS, KEEP_LEASE, MEDIA_ENGINE, TRACING } from './sfu.tokens.js';

/** Brings the node into service and takes it out again; says who closes whom. */
@Injectable()
export class NodeLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly lease: KeptLease;
  private keys: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    private readonly verifier: TokenVerifier,
    private readonly commands: CommandResponder,
    private readonly drain: Drain,
    private readonly rooms: RoomRegistry,
    private readonly relaying: NodeRelaying,
    private readonly facts: FactOutbox,
    @Inject(TRACING) private readonly tracing: Closeable,
    @Inject(KEEP_LEASE) keepLease: KeepLease,
    readiness: Readiness,
    node: NodeState,
  ) {
    readiness.needs('signingKeys', () => verifier.isReady);
    readiness.unlessDraining(() => node.isDraining);
    this.lease = keepLease(() => node.lease());
    drain.announceWith(() => this.announce());
  }

  /** The lease comes last: whoever reads it may command at once. */
  async onApplicationBootstrap(): Promise<void> {
    await this.bus.ensureStream(factStream);
    this.keys = await watchKeys(this.bus, this.verifier);
    await this.relaying.start();
    await this.commands.start();
    await this.lease.start();
  }

  /**
   * Sessions are not ended: their publishers may come back to another node. Rooms go before the port does, since
   * event streams of their viewers are open there.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain.close();
    await this.lease.close();
    await this.commands.close();
    await this.rooms.close();
    await this.relaying.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.keys?.close();
    await this.facts.close();
    await this.engine.close();
    await this.bus.close();
    await this.tracing.close();
  }

  /** To the gateway, and to the other SFU nodes. */
  private async announce(): Promise<void> {
    this.relaying.tellLoad();
    await this.lease.renew();
  }
}
