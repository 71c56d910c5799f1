import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { nanoid } from 'nanoid';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';

/** A replica that was silent for so many beats has died, and its connections with it. */
const beatsToBeSure = 5;

const beatStatement = `
INSERT INTO gateway_replicas (id, seen_at) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;

/** When one died says until when its participants were there: it is remembered until they have been looked after. */
const forgetStatement = `
DELETE FROM gateway_replicas r WHERE seen_at < $1::timestamptz - interval '1 hour' AND NOT EXISTS (
  SELECT 1 FROM participants p WHERE p.replica_id = r.id AND p.connection_id IS NOT NULL AND p.state = 'joined')`;

const readStatement = `SELECT id, seen_at AS "seenAt" FROM gateway_replicas`;

/** A beat of a replica, and when this gateway saw it first, by its own clock. */
interface Beat {
  seenAt: number;
  noticedAt: number;
}

/** This gateway process among those of the database: whoever holds sockets says again and again that it lives. */
@Injectable()
export class GatewayReplica implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Never that of a process before this one. */
  readonly id = `replica_${nanoid()}`;
  private readonly task: RepeatingTask;
  private steadySince = Number.POSITIVE_INFINITY;
  private beats = new Map<string, Beat>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, GatewayReplica.name, settings.sweepIntervalMs, () => this.beat());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  /** After so long a silence a replica counts as dead. Milliseconds. */
  get silenceMs(): number {
    return this.settings.sweepIntervalMs * beatsToBeSure;
  }

  /** Whether the others had time to be heard since this one could last write. */
  isSteady(): boolean {
    return this.clock.now() - this.steadySince > this.silenceMs;
  }

  /** Replicas whose beat has not changed for `silenceMs`. The clocks of two machines may differ, so only changes count. */
  listSilent(): string[] {
    const now = this.clock.now();
    return [...this.beats].filter(([, { noticedAt }]) => now - noticedAt >= this.silenceMs).map(([id]) => id);
  }

  private async beat(): Promise<void> {
    try {
      const now = new Date(this.clock.now());
      await this.dataSource.query(beatStatement, [this.id, now]);
      await this.dataSource.query(forgetStatement, [now]);
      this.notice(await this.dataSource.query<{ id: string; seenAt: Date }[]>(readStatement));
      this.steadySince = Math.min(this.steadySince, this.clock.now());
    } catch (error) {
      this.steadySince = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  private notice(replicas: readonly { id: string; seenAt: Date }[]): void {
    const noticedAt = this.clock.now();
    const beatOf = (id: string, seenAt: number): Beat => {
      const known = this.beats.get(id);
      return known?.seenAt === seenAt ? known : { seenAt, noticedAt };
    };
    this.beats = new Map(replicas.map(({ id, seenAt }) => [id, beatOf(id, seenAt.getTime())]));
  }
}
