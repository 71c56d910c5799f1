import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { nanoid } from 'nanoid';
import { DataSource } from 'typeorm';
import { RepeatingTask } from '../background/repeating-task.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';

/** A replica that was silent for so many beats has died, and its connections with it. */
const beatsToBeSure = 5;

const beatStatement = `
INSERT INTO gateway_replicas (id, seen_at) VALUES ($1, now())
ON CONFLICT (id) DO UPDATE SET seen_at = now()`;

/** When one died says until when its participants were there: it is remembered until they have been looked after. */
const forgetStatement = `
DELETE FROM gateway_replicas r WHERE seen_at < now() - interval '1 hour' AND NOT EXISTS (
  SELECT 1 FROM participants p WHERE p.replica_id = r.id AND p.connection_id IS NOT NULL AND p.state = 'joined')`;

/** This gateway process among those of the database: whoever holds sockets says again and again that it lives. */
@Injectable()
export class GatewayReplica implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Never that of a process before this one. */
  readonly id = `replica_${nanoid()}`;
  private readonly task: RepeatingTask;
  private steadySince = Number.POSITIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
  ) {
    this.task = new RepeatingTask(GatewayReplica.name, settings.sweepIntervalMs, () => this.beat());
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
    return Date.now() - this.steadySince > this.silenceMs;
  }

  private async beat(): Promise<void> {
    try {
      await this.dataSource.query(beatStatement, [this.id]);
      await this.dataSource.query(forgetStatement);
      this.steadySince = Math.min(this.steadySince, Date.now());
    } catch (error) {
      this.steadySince = Number.POSITIVE_INFINITY;
      throw error;
    }
  }
}
