import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import { factStream, type NodeLease } from '@rtms/contracts';
import { DrainState, FactOutbox, Readiness, type KeepLease, type KeptLease } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { TokenVerifier, watchKeys } from '@rtms/tokens';
import { Drain } from './commands/drain.js';
import { respondToCommands } from './commands/transcoder-commands.js';
import { Diagnosis } from './diagnosis/diagnosis.js';
import { PresentationRegistry } from './delivery/presentation-registry.js';
import { SEGMENT_STORE, type SegmentStore } from './delivery/segment-store.js';
import { BroadcastsService } from './jobs/broadcasts.service.js';
import { nodeLoad } from './node-load.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { RECORDING_STORE, type RecordingStore } from './recordings/store/recording-store.js';
import type { TranscoderConfig } from './transcoder.config.js';
import { BUS, EPOCH, KEEP_LEASE, LOGGER, TRACING, TRANSCODER_CONFIG } from './transcoder.tokens.js';

/** Brings the node into service and takes it out again; says who closes whom. */
@Injectable()
export class NodeLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lease: KeptLease;
  private keys: Closeable | undefined;
  private commands: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(TRANSCODER_CONFIG) private readonly config: TranscoderConfig,
    @Inject(EPOCH) private readonly epoch: number,
    @Inject(SEGMENT_STORE) private readonly store: SegmentStore,
    private readonly verifier: TokenVerifier,
    private readonly broadcasts: BroadcastsService,
    private readonly recordings: RecordingsService,
    @Inject(RECORDING_STORE) private readonly recordingStore: RecordingStore,
    private readonly registry: PresentationRegistry,
    private readonly facts: FactOutbox,
    private readonly drainState: DrainState,
    private readonly drain: Drain,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Closeable,
    private readonly diagnosis: Diagnosis,
    readiness: Readiness,
    @Inject(KEEP_LEASE) keepLease: KeepLease,
  ) {
    readiness.needs('signingKeys', () => verifier.isReady);
    readiness.unlessDraining(() => drainState.isDraining);
    this.lease = keepLease(() => this.currentLease());
    drain.announceWith(() => this.lease.renew());
  }

  /** The lease comes last: whoever reads it may command at once. */
  async onApplicationBootstrap(): Promise<void> {
    await this.bus.ensureStream(factStream);
    const { nodeID, internalUrl } = this.config;
    await this.recordings.recover();
    this.keys = await watchKeys(this.bus, this.verifier);
    this.commands = await respondToCommands(this.bus, nodeID, {
      broadcasts: this.broadcasts,
      recordings: this.recordings,
      drain: this.drain,
      diagnosis: this.diagnosis,
      epoch: this.epoch,
      internalUrl,
      logger: this.logger,
    });
    await this.lease.start();
  }

  /** Commands stop first, then what they made; the bus goes last, with the facts before it. */
  async onApplicationShutdown(): Promise<void> {
    await this.drain.close();
    await this.lease.close();
    await this.commands?.close();
    await Promise.all([this.broadcasts.close(), this.recordings.close()]);
    await this.registry.close();
    await this.keys?.close();
    await this.facts.close();
    await this.store.close();
    await this.recordingStore.close();
    await this.bus.close();
    await this.tracing.close();
  }

  private currentLease(): NodeLease {
    const { nodeID, publicUrl, internalUrl, maxBroadcasts: capacity, drainSeconds } = this.config;
    const { isDraining: draining } = this.drainState;
    const load = nodeLoad(this.broadcasts, this.recordings);
    const addresses = { publicUrl, internalUrl };
    return { nodeID, role: 'transcoder', epoch: this.epoch, ...addresses, load, capacity, draining, drainSeconds };
  }
}
