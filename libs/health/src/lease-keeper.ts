import type { Bus, Closeable, KeyValueStore } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { leaseBucket, leaseKey, leaseRenewSeconds, leaseTtlSeconds, type NodeLease } from '@rtms/contracts';

/** The lease of this node, from its start to its deletion when the node stops. */
export interface KeptLease extends Closeable {
  /** Resolves once the lease is stored. */
  start(): Promise<void>;
  /** Renews without waiting for the next turn: the load has changed, or the node drains. Never rejects. */
  renew(): Promise<void>;
}

/** Makes the keeper of a lease, which asks for the current lease at each renewal. */
export type KeepLease = (currentLease: () => NodeLease) => KeptLease;

/** Renews a lease every second on the event loop of its caller. In a service that is a thread, see `LeaseThread`. */
export class LeaseKeeper implements KeptLease {
  private store: KeyValueStore<NodeLease> | undefined;
  private timer: Timer | undefined;
  private listening: Closeable | undefined;
  private renewing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly currentLease: () => NodeLease,
    private readonly clock: Clock,
    /** While this answers false the lease is not renewed, so that it lapses. */
    private readonly mayRenew: () => boolean = () => true,
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
    if (this.isClosed || !this.bus.isConnected() || !this.mayRenew()) return;
    const lease = this.currentLease();
    await this.store?.put(leaseKey(lease), lease).catch(ignoreOutage);
  }
}

/** A lease that could not be renewed or deleted lapses by itself. */
function ignoreOutage(): void {
  return undefined;
}
