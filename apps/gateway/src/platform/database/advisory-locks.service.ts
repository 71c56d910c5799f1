import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import type { Pool } from 'pg';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK, LOGGER } from '../runtime/runtime.module.js';
import { openLockPool } from './data-source.js';

/** Work that only one replica of the gateway does at a time. The numbers are arbitrary and unique among advisory locks. */
export const lockNumbers = {
  reconciler: 7_301_002,
  metering: 7_301_003,
  listCounts: 7_301_004,
  recordings: 7_301_005,
  memberBroadcasts: 7_301_006,
  retention: 7_301_007,
  facts: 7_301_008,
  samples: 7_301_009,
  events: 7_301_010,
  compositions: 7_301_020,
} as const;

export type LockName = keyof typeof lockNumbers;

/** Interval of queries on the connection. With the timeout of a query it is shorter than the server's keepalive limit. */
const lookMs = 2_000;

/**
 * Locks that one replica of the gateway has at a time. All of them use one connection that nothing else uses. So the work under a lock
 * never waits for a connection that the work under another lock has.
 */
@Injectable()
export class AdvisoryLocksService implements OnApplicationShutdown {
  /** A pool of one connection. */
  readonly pool: Pool;
  private readonly held = new Map<LockName, AbortController>();
  private looking: Timer | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) { databaseUrl }: GatewayConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.pool = openLockPool(databaseUrl, logger);
    this.pool.on('remove', () => this.lose());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Runs the work unless this or another replica runs it already. If the connection closes, the lock is lost, and `lost` aborts: work
   * that must not run on two replicas stops then.
   */
  async under(name: LockName, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (this.held.has(name)) return;
    const lost = new AbortController();
    this.held.set(name, lost);
    try {
      if (!(await this.take(name))) return;
      this.looking ??= this.clock.every(lookMs, () => void this.ask('SELECT 1').catch(() => undefined));
      try {
        await work(lost.signal);
      } finally {
        await this.release(name, lost.signal);
      }
    } finally {
      this.held.delete(name);
      if (this.held.size === 0) this.stopLooking();
    }
  }

  private async take(name: LockName): Promise<boolean> {
    const [row] = await this.ask<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${lockNumbers[name]}) AS locked`);
    return row?.locked === true;
  }

  /** Fails only with a lost connection, and then the lock is free anyway. */
  private async release(name: LockName, lost: AbortSignal): Promise<void> {
    if (!lost.aborted) await this.ask(`SELECT pg_advisory_unlock(${lockNumbers[name]})`).catch(() => undefined);
  }

  private async ask<Row>(statement: string): Promise<Row[]> {
    return (await this.pool.query(statement)).rows as Row[];
  }

  private lose(): void {
    for (const lost of this.held.values()) lost.abort();
  }

  private stopLooking(): void {
    this.looking?.cancel();
    this.looking = undefined;
  }
}
