import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable, KeyValueEntry } from '@rtms/bus';
import { lateTicks, type Clock, type Timer } from '@rtms/clock';
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

/** Part of a lease's time: three of its five seconds. By the time that a lease lapses, the leases have been read again. */
const suspiciousSilence = 0.6;
/** NATS keeps the consumer of a closed watch for five minutes: an installation without nodes must not pile them up. */
const rarestReopenMs = 60_000;
/** A bus that needs longer to open a watch may have refused the nodes' renewals meanwhile. */
const promptMs = 1_000;
/** Twice as many as there can be nodes, see `LeaseTable`. */
const mostRevisions = 2_000;

/**
 * Which media nodes live. While the bus is away nobody can announce itself, so no lease lapses; after it came
 * back each node has a full lifetime to be heard. A watch can be lost while the connection stays, e.g. when the NATS server with its
 * consumer goes: when no node is heard, the registry opens another watch, which reads all leases.
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
  /** The change that each lease was read from: read again, it is no sign of life. */
  private readonly revisions = new LRUCache<string, number>({ max: mostRevisions });
  private watch: Closeable | undefined;
  private closingWatches: Promise<void> = Promise.resolve();
  private isOpening = false;
  private reopensAt = Number.POSITIVE_INFINITY;
  private nextReopenMs: number;
  private readonly suspiciousMs: number;
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
    this.suspiciousMs = suspiciousSilence * settings.leaseTtlMs;
    this.nextReopenMs = this.suspiciousMs;
  }

  onApplicationBootstrap(): void {
    this.opened.push(this.bus.onConnectionChange(connected => this.onConnectionChange(connected)));
    this.openWatch();
    const everyMs = this.settings.leaseTtlMs / 20;
    const isLate = lateTicks(this.clock, everyMs);
    this.timer = this.clock.every(everyMs, () => this.look(isLate()));
  }

  async onApplicationShutdown(): Promise<void> {
    this.timer?.cancel();
    await Promise.all(this.opened.splice(0).map(each => each.close()));
    this.closeWatch();
    await this.closingWatches;
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
    return this.bus.isConnected() && !this.isOpening && this.clock.now() - this.heardSince > this.settings.leaseTtlMs;
  }

  /** Calls back when a node appears, is lost, comes back with a new epoch, is drained, or takes work again. */
  onChange(listener: ChangeListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  private openWatch(): void {
    this.isOpening = true;
    const startedAt = this.clock.now();
    this.watch = openWhenPossible(this.clock, 'NodeRegistry', () => this.watchLeases(startedAt));
  }

  private closeWatch(): void {
    const { watch } = this;
    this.watch = undefined;
    this.closingWatches = Promise.all([this.closingWatches, watch?.close()]).then(() => undefined);
  }

  private async watchLeases(startedAt: number): Promise<Closeable> {
    const leases = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    const watch = await leases.watch(entry => this.onEntry(entry));
    const now = this.clock.now();
    if (now - startedAt > promptMs) this.table.renewAll(now);
    this.isOpening = false;
    if (this.heardSince === Number.POSITIVE_INFINITY) this.heardSince = now;
    this.reopensAt = now + this.nextReopenMs;
    return watch;
  }

  /** Each time in vain it waits twice as long until the next time. */
  private reopenWatch(): void {
    if (this.table.list().length > 0) this.logger.warn('no media node is heard: reading the leases again');
    this.nextReopenMs = Math.min(2 * this.nextReopenMs, rarestReopenMs);
    this.closeWatch();
    this.openWatch();
  }

  private onEntry({ key, value, revision }: KeyValueEntry<NodeLease>): void {
    if (this.revisions.get(key) === revision) return;
    this.revisions.set(key, revision);
    this.nextReopenMs = this.suspiciousMs;
    this.reopensAt = this.clock.now() + this.suspiciousMs;
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

  /** Late: this process was blocked, and the leases of the meantime are not read yet. */
  private look(isLate: boolean): void {
    if (isLate) return this.table.renewAll(this.clock.now());
    if (!this.bus.isConnected() || this.isOpening) {
      this.wasSettled = false;
      return;
    }
    if (this.clock.now() >= this.reopensAt) return this.reopenWatch();
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
