import type { Bus, Closeable, KeyValueStore } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseBucket, leaseKey, leaseRenewSeconds, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';

/** Renews the lease of this node every second, and deletes the lease when the node stops. */
export class LeaseKeeper {
  private store: KeyValueStore<NodeLease> | undefined;
  private timer: Timer | undefined;
  private listening: Closeable | undefined;
  private renewing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly currentLease: () => NodeLease,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the lease is stored. */
  async start(): Promise<void> {
    this.store = await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await this.store.put(leaseKey(this.currentLease()), this.currentLease());
    this.timer = this.clock.every(leaseRenewSeconds * 1000, () => this.renewSoon());
    this.listening = this.bus.onConnectionChange(connected => {
      if (connected) this.renewSoon();
    });
  }

  /** Renews without waiting for the next turn: the load has changed, or the node drains. */
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
    if (this.isClosed || !this.bus.isConnected()) return;
    const lease = this.currentLease();
    await this.store?.put(leaseKey(lease), lease).catch(ignoreOutage);
  }
}

/** A lease that could not be renewed or deleted lapses by itself. */
function ignoreOutage(): void {
  return undefined;
}
