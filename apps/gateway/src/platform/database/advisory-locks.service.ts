import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import type { Pool } from 'pg';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK, LOGGER } from '../runtime/runtime.module.js';
import { openLockPool } from './data-source.js';

/** The work that one replica of the gateway does at a time. The numbers are any that no other advisory lock has. */
export const lockNumbers = {
  reconciler: 7_301_002,
  metering: 7_301_003,
  listCounts: 7_301_004,
  recordings: 7_301_005,
  memberBroadcasts: 7_301_006,
  retention: 7_301_007,
  facts: 7_301_008,
} as const;

export type LockName = keyof typeof lockNumbers;

/** A connection that says nothing for so long, and the time that a query may take, is shorter than the server's patience. */
const lookMs = 2_000;

/**
 * Locks that one replica of the gateway has at a time. All of them are on one connection of their own, which no request
 * and no other work takes: whoever has a lock never waits for a connection that the work under another lock has.
 */
@Injectable()
export class AdvisoryLocksService implements OnApplicationShutdown {
  /** Of one connection. */
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
   * Runs the work unless another replica of the gateway is at it, or this one. The lock goes with the connection: `lost` then
   * tells work that must not go on beside another replica's.
   */
  async under(name: LockName, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (this.held.has(name)) return;
    const lost = new AbortController();
    this.held.set(name, lost);
    try {
      if (!(await this.take(name))) return;
      this.looking ??= this.clock.every(lookMs, () => void this.ask('SELECT 1').catch(() => undefined));
      await work(lost.signal).finally(() => this.release(name, lost.signal));
    } finally {
      this.held.delete(name);
      if (this.held.size === 0) this.stopLooking();
    }
  }

  private async take(name: LockName): Promise<boolean> {
    const [row] = await this.ask<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${lockNumbers[name]}) AS locked`);
    return row?.locked === true;
  }

  /** Fails only when the connection is lost, and the lock with it. */
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
