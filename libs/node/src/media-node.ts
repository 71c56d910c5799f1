import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Closeable } from '@rtms/bus';
import {
  type EndpointTrial,
  factStream,
  ingestCommands,
  type MediaEndpoint,
  type NodeLease,
  sfuCommands,
  transcoderCommands,
} from '@rtms/contracts';
import { MetricsRegistry, Readiness, registerNodeMetrics, serviceVersion } from '@rtms/health';
import { TokenVerifier, watchKeys } from '@rtms/tokens';
import { CommandResponder, OnCommand } from './work/commands.js';
import { DrainState, NodeDrain } from './work/drain.js';
import { FactOutbox } from './work/fact-outbox.js';
import { type KeptLease, LeaseKeeper, logLeaseOutage } from './lease/lease-keeper.js';
import { NodeWork, RUNNING_NODE, type RunningNode } from './node-parts.js';
import { tryEndpoint } from './try-endpoint.js';

/** Starts, drains and stops a media node. Defines the order in which its parts close. */
@Injectable()
export class MediaNode
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly drain: NodeDrain;
  private readonly lease: KeptLease;
  private readonly commands: CommandResponder;
  private keys: Closeable | undefined;
  private metrics: Closeable | undefined;

  constructor(
    @Inject(RUNNING_NODE) private readonly node: RunningNode,
    private readonly work: NodeWork,
    private readonly drainState: DrainState,
    private readonly facts: FactOutbox,
    private readonly verifier: TokenVerifier,
    private readonly discovery: DiscoveryService,
    private readonly registry: MetricsRegistry,
    readiness: Readiness,
  ) {
    const { bus, clock, logger, role, config, keepLease } = node;
    readiness.needs('signingKeys', () => verifier.isReady);
    readiness.unlessDraining(() => drainState.isDraining);
    this.lease =
      keepLease?.(() => this.currentLease()) ??
      new LeaseKeeper(bus, () => this.currentLease(), clock, { report: outage => logLeaseOutage(logger, outage) });
    this.commands = new CommandResponder({ bus, nodeID: config.nodeID, role, logger });
    const drained = {
      announce: () => this.announceDrain(),
      tell: () => work.sendAway(),
      isEmpty: () => work.isEmpty(),
      endAll: () => work.endAll(),
      abandon: () => work.abandon(),
    };
    this.drain = new NodeDrain(drainState, drained, work.drainTimes, clock);
  }

  onModuleInit(): void {
    const { bus, role: service } = this.node;
    const isDraining = (): boolean => this.drainState.isDraining;
    this.metrics = registerNodeMetrics(this.registry, { service, bus, facts: this.facts, isDraining });
  }

  /** Stores the lease last, because a gateway that reads it may send commands at once. */
  async onApplicationBootstrap(): Promise<void> {
    await this.node.bus.ensureStream(factStream);
    this.keys = await watchKeys(this.node.bus, this.verifier);
    await this.work.start();
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    for (const provider of new Set(providers)) {
      if (typeof provider === 'object' && provider !== null) await this.commands.answerWith(provider);
    }
    await this.lease.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.metrics?.close();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain.close();
    await this.lease.close();
    await this.commands.close();
    await this.work.closeStreams();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.work.close();
    await this.keys?.close();
    await this.facts.close();
    await this.node.bus.close();
    await this.node.tracing?.close();
  }

  @OnCommand(sfuCommands.drain)
  @OnCommand(transcoderCommands.drain)
  @OnCommand(ingestCommands.drain)
  setDraining({ draining }: { draining: boolean }): Promise<void> {
    return draining ? this.drain.begin() : this.drain.callOff();
  }

  @OnCommand(sfuCommands.tryEndpoints)
  @OnCommand(transcoderCommands.tryEndpoints)
  async tryEndpoints({ endpoints }: { endpoints: MediaEndpoint[] }): Promise<{ trials: EndpointTrial[] }> {
    return { trials: await Promise.all(endpoints.map(endpoint => tryEndpoint(endpoint, this.node.clock))) };
  }

  private async announceDrain(): Promise<void> {
    this.work.drainChanged();
    await this.lease.renew();
  }

  private currentLease(): NodeLease {
    const { role, epoch } = this.node;
    const { nodeID, publicUrl, internalUrl } = this.node.config;
    const { isDraining: draining } = this.drainState;
    const { drainSeconds } = this.work.drainTimes;
    const own = { nodeID, role, epoch, publicUrl, internalUrl, version: serviceVersion };
    return { ...own, ...this.work.load(), draining, drainSeconds };
  }
}
