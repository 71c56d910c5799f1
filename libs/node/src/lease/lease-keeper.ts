import type { Bus, Closeable, KeyValueStore } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseBucket, leaseKey, leaseRenewSeconds, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';
import { messageOf, scrubSecrets, type Logger } from '@rtms/logging';
import { SerialQueue } from '../work/serial-queue.js';

/** The lease of this node. The node deletes it when it stops. */
export interface KeptLease extends Closeable {
  /** Stores the lease and starts renewing it. Resolves once it is stored. */
  start(): Promise<void>;
  /** Renews at once, because the load or the drain state has changed. Never rejects. */
  renew(): Promise<void>;
}

/** Creates the keeper of a lease. The keeper reads the current lease at each renewal. */
export type KeepLease = (currentLease: () => NodeLease) => KeptLease;

/** `refused`: the bus does not store the lease, so it expires. `accepted`: the bus stores the lease again. */
export type LeaseOutage = { kind: 'refused'; reason: string } | { kind: 'accepted' };

export interface LeaseKeeperOptions {
  /** Called once per outage, and at most once a minute. */
  report: (outage: LeaseOutage) => void;
  /** While it returns false, the lease is not renewed and expires. Default: always true. */
  mayRenew?: () => boolean;
}

/** Logs that the bus refuses or accepts the lease. */
export function logLeaseOutage(logger: Logger, outage: LeaseOutage): void {
  if (outage.kind === 'accepted') logger.warn('the bus stores the lease of this node again');
  else logger.error({ reason: outage.reason }, 'the bus refuses to store the lease of this node');
}

const reportPauseMs = 60_000;
const reasonCharacters = 300;

/** Renews a lease every second on the caller's event loop. A service uses a separate thread, see `LeaseThread`. */
export class LeaseKeeper implements KeptLease {
  private store: KeyValueStore<NodeLease> | undefined;
  private timer: Timer | undefined;
  private listening: Closeable | undefined;
  private readonly renewals = new SerialQueue();
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
    this.timer = this.clock.every(leaseRenewSeconds * 1000, () => void this.renew());
    this.listening = this.bus.onConnectionChange(connected => {
      if (connected) void this.renew();
    });
  }

  async renew(): Promise<void> {
    await this.renewals.run(() => this.putLease());
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.timer?.cancel();
    await this.listening?.close();
    await this.renewals.idle();
    await this.store?.delete(leaseKey(this.currentLease())).catch(ignoreOutage);
  }

  /** Renews the lease. Does nothing while the bus is disconnected, because the next renewal follows within a second. */
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

/** Deletes the lease. If that fails, the lease expires. */
function ignoreOutage(): void {
  return undefined;
}
