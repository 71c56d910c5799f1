import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable, KeyValueEntry } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseBucket, leaseTtlSeconds, type NodeLease, type NodeRole } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { openWhenPossible } from '../background/open-when-possible.js';
import { BUS, CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { LeaseReader } from './lease-reader.js';
import { LeaseTable, type NodeChange } from './lease-table.js';

/** `settled`: from now on silence means that a node is dead, see `isSettled`. */
export type RegistryChange = NodeChange | { kind: 'settled' };
type ChangeListener = (change: RegistryChange) => void;

/**
 * Which media nodes live. While the bus is away nobody can announce itself, so no lease lapses; after it came
 * back each node has a full lifetime to be heard.
 */
@Injectable()
export class NodeRegistry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(NodeRegistry.name);
  private readonly table: LeaseTable;
  private readonly reader: LeaseReader;
  /** Why the last lease under a key was refused; said once. */
  private readonly refusals = new LRUCache<string, string>({ max: 100 });
  private readonly listeners = new Set<ChangeListener>();
  private readonly opened: Closeable[] = [];
  private timer: Timer | undefined;
  private heardSince = Number.POSITIVE_INFINITY;
  private wasSettled = false;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(GATEWAY_CONFIG) { nodeAddresses }: Pick<GatewayConfig, 'nodeAddresses'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.reader = new LeaseReader(nodeAddresses);
    this.table = new LeaseTable(settings.leaseTtlMs);
  }

  onApplicationBootstrap(): void {
    this.opened.push(this.bus.onConnectionChange(connected => this.onConnectionChange(connected)));
    this.opened.push(openWhenPossible(this.clock, 'NodeRegistry', () => this.watchLeases()));
    this.timer = this.clock.every(this.settings.leaseTtlMs / 20, () => this.expire());
  }

  async onApplicationShutdown(): Promise<void> {
    this.timer?.cancel();
    await Promise.all(this.opened.splice(0).map(each => each.close()));
  }

  list(role?: NodeRole): NodeLease[] {
    return this.table.list(role);
  }

  find(role: NodeRole, nodeID: string): NodeLease | undefined {
    return this.table.find(role, nodeID);
  }

  /** When a start of a node was heard last; undefined when it was never heard by this gateway. */
  heardAt(role: NodeRole, nodeID: string, epoch: number): Date | undefined {
    const time = this.table.heardAt(role, nodeID, epoch);
    return time === undefined ? undefined : new Date(time);
  }

  /** Whether every living node has had the time to be heard: only then does silence mean that a node is dead. */
  isSettled(): boolean {
    return this.bus.isConnected() && this.clock.now() - this.heardSince > this.settings.leaseTtlMs;
  }

  /** Calls back when a node appears, is lost, comes back with a new epoch, is drained, or takes work again. */
  onChange(listener: ChangeListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  private async watchLeases(): Promise<Closeable> {
    const leases = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    const watch = await leases.watch(entry => this.onEntry(entry));
    this.heardSince = this.clock.now();
    return watch;
  }

  private onEntry({ key, value }: KeyValueEntry<NodeLease>): void {
    if (value === undefined) return this.tell(this.table.withdraw(key));
    const read = this.reader.read(key, value);
    if ('lease' in read) return this.tell(this.table.announce(read.lease, this.clock.now()));
    if (this.refusals.get(key) !== read.refusal) this.logger.warn({ key, refusal: read.refusal }, 'a lease is refused');
    this.refusals.set(key, read.refusal);
  }

  private onConnectionChange(connected: boolean): void {
    if (!connected || this.heardSince === Number.POSITIVE_INFINITY) return;
    this.table.renewAll(this.clock.now());
    this.heardSince = this.clock.now();
  }

  private expire(): void {
    if (!this.bus.isConnected()) {
      this.wasSettled = false;
      return;
    }
    for (const change of this.table.expire(this.clock.now())) this.tell(change);
    const settled = this.isSettled();
    if (settled && !this.wasSettled) this.tell({ kind: 'settled' });
    this.wasSettled = settled;
  }

  private tell(change: RegistryChange | undefined): void {
    if (change === undefined) return;
    for (const listener of this.listeners) listener(change);
  }
}
