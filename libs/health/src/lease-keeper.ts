import type { Bus, Closeable, KeyValueStore } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseBucket, leaseKey, leaseRenewSeconds, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { messageOf, scrubSecrets, type Logger } from '@rtms/logging';

/** The lease of this node, from its start to its deletion when the node stops. */
export interface KeptLease extends Closeable {
  /** Resolves once the lease is stored. */
  start(): Promise<void>;
  /** Renews without waiting for the next turn: the load has changed, or the node drains. Never rejects. */
  renew(): Promise<void>;
}

/** Makes the keeper of a lease, which asks for the current lease at each renewal. */
export type KeepLease = (currentLease: () => NodeLease) => KeptLease;

/** `refused`: the bus does not store the lease, which lapses; `accepted`: it stores the lease again. */
export type LeaseOutage = { kind: 'refused'; reason: string } | { kind: 'accepted' };

export interface LeaseKeeperOptions {
  /** Told once an outage, and at most once a minute when outages come and go. */
  report: (outage: LeaseOutage) => void;
  /** While this answers false the lease is not renewed, so that it lapses. Default: always true. */
  mayRenew?: () => boolean;
}

/** How a process reports to its log that its lease is refused. */
export function logLeaseOutage(logger: Logger, outage: LeaseOutage): void {
  if (outage.kind === 'accepted') logger.warn('the bus stores the lease of this node again');
  else logger.error({ reason: outage.reason }, 'the bus refuses to store the lease of this node');
}

const reportPauseMs = 60_000;
const reasonCharacters = 300;

/** Renews a lease every second on the event loop of its caller. In a service that is a thread, see `LeaseThread`. */
export class LeaseKeeper implements KeptLease {
  private store: KeyValueStore<NodeLease> | undefined;
  private timer: Timer | undefined;
  private listening: Closeable | undefined;
  private renewing: Promise<void> = Promise.resolve();
  private isClosed = false;
  private isReported = false;
  private reportedAt = -Infinity;

  constructor(
    private readonly bus: Bus,
    private readonly currentLease: () => NodeLease,
    private readonly clock: Clock,
    private readonly options: LeaseKeeperOptions,
  ) {}

  async start(): Promise<void> {
    this.store = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await this.store.put(leaseKey(this.currentLease()), this.currentLease());
    this.timer = this.clock.every(leaseRenewSeconds * 1000, () => this.renewSoon());
    this.listening = this.bus.onConnectionChange(connected => {
      if (connected) this.renewSoon();
    });
  }

  async renew(): Promise<void> {
    this.renewSoon();
    await this.renewing;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.timer?.cancel();
    await this.listening?.close();
    await this.renewing;
    await this.store?.delete(leaseKey(this.currentLease())).catch(ignoreOutage);
  }

  private renewSoon(): void {
    this.renewing = this.renewing.then(() => this.putLease());
  }

  /** Does nothing while the bus is disconnected; the next turn comes within a second. */
  private async putLease(): Promise<void> {
    const { mayRenew } = this.options;
    if (this.isClosed || !this.bus.isConnected() || mayRenew?.() === false) return;
    const lease = this.currentLease();
    await this.store?.put(leaseKey(lease), lease).then(
      () => this.onAccepted(),
      (error: unknown) => this.onRefused(error),
    );
  }

  private onAccepted(): void {
    if (this.isReported) this.options.report({ kind: 'accepted' });
    this.isReported = false;
  }

  private onRefused(error: unknown): void {
    const now = this.clock.now();
    if (this.isReported || now - this.reportedAt < reportPauseMs) return;
    this.isReported = true;
    this.reportedAt = now;
    const reason = scrubSecrets(messageOf(error)).slice(0, reasonCharacters);
    this.options.report({ kind: 'refused', reason });
  }
}

/** A lease that could not be deleted lapses by itself. */
function ignoreOutage(): void {
  return undefined;
}
