import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { NodeLease } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { SerialQueue } from '../work/serial-queue.js';
import { LeaseKeeper, type LeaseOutage } from './lease-keeper.js';

/** Messages from the service to the thread. `lease` comes each second as a heartbeat. The thread answers `store` once stored. */
export type LeaseOrder =
  | { kind: 'lease'; lease: NodeLease }
  | { kind: 'store'; lease: NodeLease; id: number }
  | { kind: 'close' };

/** Messages from the thread to the service. `lapsing`: no heartbeat for `silenceMs`. `renewing`: heartbeats arrive again. */
export type LeaseNews =
  | LeaseOutage
  | { kind: 'stored'; id: number }
  | { kind: 'lapsing' | 'renewing' }
  | { kind: 'failed' | 'problem'; message: string };

/** The thread's side of the message channel. */
export interface LeasePort {
  on(event: 'message', listener: (order: LeaseOrder) => void): unknown;
  postMessage(news: LeaseNews): void;
  close(): void;
}

/**
 * A service with a busy event loop still works, because its media runs in other processes. A service without a heartbeat for
 * two minutes hangs. Supervisors that poll `/healthz` act sooner.
 */
const silenceMs = 120_000;

/** Keeps a lease for the service at the other end of the port. Closes port and bus when the service closes. */
export class LeaseDelegate {
  private readonly keeper: LeaseKeeper;
  private lease: NodeLease | undefined;
  private heardAt: number;
  private isLapsing = false;
  private isStarted = false;
  private isClosed = false;
  private readonly orders = new SerialQueue();

  constructor(
    private readonly port: LeasePort,
    private readonly bus: Bus,
    private readonly clock: Clock,
  ) {
    this.heardAt = clock.now();
    this.keeper = new LeaseKeeper(bus, () => this.latest(), clock, {
      report: outage => port.postMessage(outage),
      mayRenew: () => this.mayRenew(),
    });
    port.on('message', order => this.take(order));
  }

  private take(order: LeaseOrder): void {
    if (order.kind !== 'close') {
      this.lease = order.lease;
      this.heardAt = this.clock.now();
    }
    void this.orders
      .run(() => this.carryOut(order))
      .catch((error: unknown) => {
        this.port.postMessage({ kind: 'failed', message: messageOf(error) });
      });
  }

  private async carryOut(order: LeaseOrder): Promise<void> {
    if (this.isClosed) return;
    if (order.kind === 'close') return this.close();
    if (!this.isStarted) await this.keeper.start();
    else if (order.kind === 'store') await this.keeper.renew();
    this.isStarted = true;
    if (order.kind === 'store') this.port.postMessage({ kind: 'stored', id: order.id });
  }

  private async close(): Promise<void> {
    this.isClosed = true;
    if (this.isStarted) await this.keeper.close();
    await this.bus.close();
    this.port.close();
  }

  private latest(): NodeLease {
    if (!this.lease) throw new Error('The service has not sent its lease yet.');
    return this.lease;
  }

  private mayRenew(): boolean {
    const isLapsing = this.clock.now() - this.heardAt >= silenceMs;
    if (isLapsing !== this.isLapsing) this.port.postMessage({ kind: isLapsing ? 'lapsing' : 'renewing' });
    this.isLapsing = isLapsing;
    return !isLapsing;
  }
}
