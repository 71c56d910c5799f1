import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeadlineError, NoResponderError, type Bus, type Closeable, type KeyValueEntry } from '@rtms/bus';
import { lateTicks, type Clock, type Timer } from '@rtms/clock';
import {
  leaseBucket,
  leaseKey,
  leaseRenewSeconds,
  leaseTtlSeconds,
  sfuCommands,
  transcoderCommands,
  type NodeLease,
  type NodeRole,
} from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { LeaseReader } from './lease-reader.js';
import { LeaseTable, type NodeChange } from './lease-table.js';

/** `settled`: from now on a node without a lease is dead, see `isSettled`. */
type RegistryChange = NodeChange | { kind: 'settled' };
type ChangeListener = (change: RegistryChange) => void;

/** A fraction of the lease time: three of five seconds. The registry reads all leases again before a lease lapses. */
const suspiciousSilence = 0.6;
/** A fraction of the lease time: 1.5 of five seconds. A lease that is renewed each second is then overdue. */
const overdueSilence = 0.3;
/** Two answers "no responder" with this time between them prove a death. A client of NATS connects again sooner. */
const secondQuestionMs = 500;
/**
 * A fraction of the lease time: two of five seconds. A node that answers no command for so long, while its lease is overdue
 * too, is frozen or cut off, not busy: lease and commands have threads and connections of their own.
 */
const unansweredShare = 0.4;
/** NATS keeps the consumer of a closed watch for five minutes, so an installation without nodes reopens it rarely. */
const rarestReopenMs = 60_000;
/** A bus that takes longer to open a watch may also have refused the nodes' renewals. */
const promptMs = 1_000;
/** Twice the maximum number of nodes, see `LeaseTable`. */
const mostRevisions = 2_000;

/**
 * The living media nodes. During an outage of the bus no lease lapses, and afterwards each node has a full lease time to
 * announce itself. The registry asks a node with an overdue lease. It ends the lease of a node that is dead, frozen or cut off
 * before its time is over. A watch can be lost while the connection stays, e.g. when the NATS server with its consumer
 * fails. When no node renews its lease, the registry opens another watch, which reads all leases.
 */
@Injectable()
export class NodeRegistry implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(NodeRegistry.name);
  private readonly table: LeaseTable;
  private readonly reader: LeaseReader;
  /** The reason why the last lease under a key was refused. Each reason is logged once. */
  private readonly refusals = new LRUCache<string, string>({ max: 100 });
  private readonly listeners = new Set<ChangeListener>();
  private readonly opened: Closeable[] = [];
  /** The revision of each lease: the same revision, read again, is no sign of life. */
  private readonly revisions = new LRUCache<string, number>({ max: mostRevisions });
  /** The time of the first answer "no responder" of each node with an overdue lease. */
  private readonly unanswered = new Map<string, number>();
  private readonly asked = new Set<string>();
  /** Whether a late node that answers nothing loses its lease early. */
  private endsSilent = false;
  private watch: Closeable | undefined;
  private closingWatches: Promise<void> = Promise.resolve();
  private isOpening = false;
  private reopensAt = Number.POSITIVE_INFINITY;
  private nextReopenMs: number;
  private readonly suspiciousMs: number;
  private readonly overdueMs: number;
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
    this.overdueMs = overdueSilence * settings.leaseTtlMs;
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

  /** Whether no other node of the role takes work. */
  isLast(role: NodeRole, nodeID: string): boolean {
    return !this.list(role).some(other => other.nodeID !== nodeID && !other.draining);
  }

  /** The time of the last lease of this start of the node; undefined when this gateway never received one. */
  heardAt(role: NodeRole, nodeID: string, epoch: number): Date | undefined {
    const time = this.table.heardAt(role, nodeID, epoch);
    return time === undefined ? undefined : new Date(time);
  }

  /** Whether every living node had the time to announce itself. Only then is a node without a lease dead. */
  isSettled(): boolean {
    return this.bus.isConnected() && !this.isOpening && this.clock.now() - this.heardSince > this.settings.leaseTtlMs;
  }

  /** Calls back when a node appears, is lost, restarts, drains, or takes new work again. */
  onChange(listener: ChangeListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  /** Returns the node's answer. Rejects as soon as the node is lost, before a deadline of the question. */
  async whileAlive<Answer>({ role, nodeID }: NodeLease, answer: Promise<Answer>): Promise<Answer> {
    const listening: Closeable[] = [];
    const lost = new Promise<never>((_resolve, reject) => {
      const onChange = (change: RegistryChange): void => {
        const isIt = change.kind === 'lost' && change.node.role === role && change.node.nodeID === nodeID;
        if (isIt) reject(new Error('The lease of the node has ended.'));
      };
      listening.push(this.onChange(onChange));
    });
    try {
      return await Promise.race([answer, lost]);
    } finally {
      await Promise.all(listening.map(each => each.close()));
    }
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

  /** Doubles the wait each time, until a lease arrives. */
  private reopenWatch(): void {
    if (this.table.list().length > 0) this.logger.warn('no media node renews its lease: reading all leases again');
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

  /** `isLate`: this process was blocked, and the leases that arrived meanwhile are not read yet. */
  private look(isLate: boolean): void {
    if (isLate) return this.table.renewAll(this.clock.now());
    if (!this.bus.isConnected() || this.isOpening) {
      this.wasSettled = false;
      return;
    }
    if (this.clock.now() >= this.reopensAt) return this.reopenWatch();
    for (const change of this.table.expire(this.clock.now())) this.tell(change);
    this.askOverdue();
    const settled = this.isSettled();
    if (settled && !this.wasSettled) this.tell({ kind: 'settled' });
    this.wasSettled = settled;
  }

  private askOverdue(): void {
    const overdue = this.table.listOverdue(this.clock.now(), this.overdueMs, leaseRenewSeconds * 1000);
    const keys = new Set(overdue.map(({ node }) => leaseKey(node)));
    for (const key of this.unanswered.keys()) if (!keys.has(key)) this.unanswered.delete(key);
    // Several late nodes at once are more likely behind a slow bus or on an overloaded machine. And an early end gains
    // nothing where no other node can take the work.
    this.endsSilent = overdue.length === 1 && overdue.every(({ node }) => !this.isLast(node.role, node.nodeID));
    for (const { node, heardAt } of overdue) {
      const key = leaseKey(node);
      if (this.asked.has(key)) continue;
      this.asked.add(key);
      void this.ask(node, heardAt).finally(() => this.asked.delete(key));
    }
  }

  /** Ends the lease of a node that has left the bus, or that answers nothing. */
  private async ask(node: NodeLease, heardAt: number): Promise<void> {
    const key = leaseKey(node);
    const { subject } = (node.role === 'sfu' ? sfuCommands : transcoderCommands).inventory.forNode(node.nodeID);
    const question = this.bus.request<{ atMost: number }, unknown>(
      { subject },
      { atMost: 1 },
      { deadlineMs: unansweredShare * this.settings.leaseTtlMs },
    );
    const error = await question.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const hasLeft = error instanceof NoResponderError;
    if (!(hasLeft || error instanceof DeadlineError) || !this.bus.isConnected())
      return void this.unanswered.delete(key);
    const now = this.clock.now();
    const since = this.unanswered.get(key) ?? now;
    this.unanswered.set(key, since);
    if (hasLeft ? now - since < secondQuestionMs : !this.endsSilent) return;
    if (this.table.heardAt(node.role, node.nodeID, node.epoch) !== heardAt) return;
    this.unanswered.delete(key);
    const how = hasLeft ? 'has left the bus' : 'neither renews its lease nor answers';
    this.logger.warn({ nodeID: node.nodeID }, `a media node ${how}: its lease ends now`);
    this.tell(this.table.withdraw(key));
  }

  private tell(change: RegistryChange | undefined): void {
    if (change === undefined) return;
    for (const listener of this.listeners) listener(change);
  }
}
