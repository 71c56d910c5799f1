import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { nanoid } from 'nanoid';
import { DataSource } from 'typeorm';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { StoredReplica } from './life.entities.js';

/** A replica that misses this many heartbeats is dead, and its connections are lost. */
const missedHeartbeats = 5;

const hourMs = 3_600_000;

/** Participants of a dead replica are charged until its last heartbeat, so its row stays while it has participants. */
const hasNoParticipants = `NOT EXISTS (
  SELECT 1 FROM participants p WHERE p.replica_id = gateway_replicas.id AND p.connection_id IS NOT NULL AND p.state = 'joined')`;

/** The last heartbeat of a replica, and when this gateway noticed it, by its own clock. */
interface Heartbeat {
  seenAt: number;
  noticedAt: number;
}

/** This gateway process among its replicas: it writes heartbeats to the database and reads those of the others. */
@Injectable()
export class GatewayReplica extends RepeatingService {
  /** Unique to this process: a restarted gateway has another ID. */
  readonly id = `replica_${nanoid()}`;
  private steadySince = Number.POSITIVE_INFINITY;
  /** The time of the last look at the heartbeats. */
  private readAt = Number.NEGATIVE_INFINITY;
  private heartbeats = new Map<string, Heartbeat>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
  }

  /** A replica that is silent for this long, in milliseconds, is dead. */
  get silenceMs(): number {
    return this.settings.sweepIntervalMs * missedHeartbeats;
  }

  /**
   * Whether this replica wrote and read heartbeats for longer than the silence of a dead replica, without a long pause. After a pause
   * of this process the heartbeats of all replicas seem old.
   */
  isSteady(): boolean {
    const now = this.clock.now();
    return now - this.steadySince > this.silenceMs && !this.hasPaused(now);
  }

  /** Replicas whose heartbeat has not changed for `silenceMs`. Only changes count, since clocks of machines differ. */
  listSilent(): string[] {
    const now = this.clock.now();
    return [...this.heartbeats].filter(([, { noticedAt }]) => now - noticedAt >= this.silenceMs).map(([id]) => id);
  }

  protected async run(): Promise<void> {
    try {
      const now = this.clock.now();
      const { manager } = this.dataSource;
      await manager.upsert(StoredReplica, { id: this.id, seenAt: new Date(now) }, ['id']);
      await manager
        .createQueryBuilder()
        .delete()
        .from(StoredReplica)
        .where('seen_at < :oldest', { oldest: new Date(now - hourMs) })
        .andWhere(hasNoParticipants)
        .execute();
      this.notice(await manager.find(StoredReplica));
      const noticedAt = this.clock.now();
      this.steadySince = this.hasPaused(noticedAt) ? noticedAt : Math.min(this.steadySince, noticedAt);
      this.readAt = noticedAt;
    } catch (error) {
      this.steadySince = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  private hasPaused(now: number): boolean {
    return now - this.readAt > this.silenceMs / 2;
  }

  private notice(replicas: readonly StoredReplica[]): void {
    const noticedAt = this.clock.now();
    const heartbeatOf = (id: string, seenAt: number): Heartbeat => {
      const known = this.heartbeats.get(id);
      return known?.seenAt === seenAt ? known : { seenAt, noticedAt };
    };
    this.heartbeats = new Map(replicas.map(({ id, seenAt }) => [id, heartbeatOf(id, seenAt.getTime())]));
  }
}
