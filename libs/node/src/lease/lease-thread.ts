import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '@rtms/clock';
import { leaseRenewSeconds, type NodeLease, type NodeRole } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { logLeaseOutage, type KeptLease } from './lease-keeper.js';
import type { LeaseNews, LeaseOrder } from './lease-port.js';

export interface LeaseThreadData {
  nodeID: string;
  /** The service's name on the bus. */
  service: NodeRole;
}

export interface LeaseThreadOptions extends LeaseThreadData {
  currentLease: () => NodeLease;
  clock: Clock;
  logger: Logger;
  /** The environment with the bus's address. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** The thread's program. Default: `lease-worker.js` beside this file. */
  program?: URL;
}

const restartAfterMs = 1_000;
/** Limit for deleting the lease, which takes milliseconds. Without a bus, the lease expires. */
const closeWithinMs = 3_000;

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Keeps the lease in a thread with its own bus connection, so that a node with a busy event loop keeps its sessions.
 * See docs/decisions/lease-in-a-thread.md.
 */
export class LeaseThread implements KeptLease {
  private worker: Worker | undefined;
  private timer: Timer | undefined;
  private restart: Timer | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastID = 0;
  private isStarted = false;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: LeaseThreadOptions) {}

  async start(): Promise<void> {
    this.spawn();
    await this.store();
    this.isStarted = true;
    const { clock, currentLease } = this.options;
    this.timer = clock.every(leaseRenewSeconds * 1000, () => this.post({ kind: 'lease', lease: currentLease() }));
  }

  async renew(): Promise<void> {
    await this.store().catch(() => undefined);
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    this.timer?.cancel();
    this.restart?.cancel();
    const { worker } = this;
    if (!worker) return;
    // A failed thread has ended too.
    const ended = once(worker, 'exit').catch(() => undefined);
    this.post({ kind: 'close' });
    const late = this.options.clock.after(closeWithinMs, () => void worker.terminate());
    await ended;
    late.cancel();
  }

  private spawn(): void {
    const { nodeID, service, env, program = new URL('./lease-worker.js', import.meta.url) } = this.options;
    const workerData: LeaseThreadData = { nodeID, service };
    const worker = new Worker(program, { name: 'lease', workerData, ...(env && { env }) });
    this.worker = worker;
    worker.on('message', (news: LeaseNews) => this.hear(news));
    worker.on('error', err => this.options.logger.error({ err }, 'the lease thread failed'));
    worker.once('exit', () => this.onExit());
  }

  /** Resolves once the thread has stored the current lease. */
  private store(): Promise<void> {
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      if (!this.worker) return reject(new Error('The lease thread is not running.'));
      this.waiting.set(id, { resolve, reject });
      this.post({ kind: 'store', lease: this.options.currentLease(), id });
    });
  }

  private post(order: LeaseOrder): void {
    this.worker?.postMessage(order);
  }

  private hear(news: LeaseNews): void {
    const { logger } = this.options;
    switch (news.kind) {
      case 'stored':
        this.waiting.get(news.id)?.resolve();
        this.waiting.delete(news.id);
        return;
      case 'failed':
        if (this.isStarted) logger.error({ message: news.message }, 'the lease cannot be kept');
        return this.giveUpWaiting(news.message);
      case 'problem':
        return logger.warn({ message: news.message }, 'the bus connection of the lease thread reports a problem');
      case 'refused':
      case 'accepted':
        return logLeaseOutage(logger, news);
      case 'lapsing':
        return logger.error('the lease expired because this process was blocked for too long');
      case 'renewing':
        return logger.warn('the lease is renewed again');
      default:
        news satisfies never;
    }
  }

  private giveUpWaiting(message: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  private onExit(): void {
    this.worker = undefined;
    this.giveUpWaiting('The thread that keeps the lease has ended.');
    if (this.closing || !this.isStarted) return;
    this.options.logger.error('the lease thread has ended; restarting it');
    this.restart = this.options.clock.after(restartAfterMs, () => {
      this.spawn();
      void this.renew();
    });
  }
}
