import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  DataSource,
  In,
  LessThanOrEqual,
  type EntityManager,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsWhere,
} from 'typeorm';
import { portionsOf } from '../../platform/jobs/in-turns.js';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { MediaResource } from '../resources/media-resource.entity.js';
import { Playback } from '../resources/playback.entity.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { MemberBroadcastsService } from '../broadcasts/member-broadcasts.service.js';
import { SessionRosterService } from '../external-sessions/session-roster.service.js';
import { SessionLifecycleService } from '../external-sessions/session-lifecycle.service.js';
import { FactBacklogService, type FactResource } from '../facts/fact-backlog.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { PlaybackLifecycleService } from '../playbacks/playback-lifecycle.service.js';
import { Restream } from '../resources/restream.entity.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { RoomEndingService } from '../../rooms/ending/room-ending.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';

/** A transaction with this many rows holds its locks only for a short time. */
const rowsAtOnce = 100;

/** Ends rooms whose time is over, and lost publishers and viewers whose grace time is over. */
@Injectable()
export class Sweeper extends RepeatingService {
  private failedAt = Number.NEGATIVE_INFINITY;
  private hasFailed = false;

  constructor(
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly rooms: RoomEndingService,
    private readonly sessions: SessionLifecycleService,
    private readonly roster: SessionRosterService,
    private readonly playbacks: PlaybackLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly restreams: RestreamLifecycleService,
    private readonly memberBroadcasts: MemberBroadcastsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly facts: FactBacklogService,
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
  }

  protected async run(): Promise<void> {
    try {
      const now = new Date(this.clock.now());
      await this.rooms.sweep(now);
      await this.roster.sweep();
      this.noteRecovery();
      if (this.knowsThePresent()) await this.sweepGrace(now);
    } catch (error) {
      this.failedAt = this.clock.now();
      this.hasFailed = true;
      throw error;
    }
  }

  /** After an outage the reconciler runs before any grace time ends. */
  private noteRecovery(): void {
    if (this.hasFailed) this.domainEvents.emit('repair.wanted');
    this.hasFailed = false;
  }

  /**
   * After an outage of the bus or the database, a node may not have reported yet that a client reconnected. No grace time
   * ends until then. A waiting fact delays only the end of its own resource.
   */
  private knowsThePresent(): boolean {
    const isSteady = this.clock.now() - this.failedAt > this.settings.leaseTtlMs;
    return isSteady && this.nodes.isSettled();
  }

  /** Ends rows whose client did not reconnect, or which no transcoder took over, in time. */
  private async sweepGrace(now: Date): Promise<void> {
    const graceUntil = LessThanOrEqual(now);
    const { sessions, playbacks, broadcasts, restreams } = this;
    await this.endLapsed('external_session', ExternalSession, { state: 'pending', graceUntil }, (manager, where) =>
      sessions.endAll(manager, where, 'publisher_lost'),
    );
    await this.endLapsed('playback', Playback, { state: 'ready', graceUntil }, (manager, where) =>
      playbacks.endAll(manager, where, 'viewer_lost'),
    );
    await this.endLapsed('broadcast', Broadcast, { state: 'interrupted', graceUntil }, (manager, where) =>
      broadcasts.endAll(manager, where, 'node_lost', 'failed'),
    );
    await this.endLapsed('restream', Restream, { state: 'retrying', graceUntil }, (manager, where) =>
      restreams.endAll(manager, where, 'node_lost', 'failed'),
    );
    await this.memberBroadcasts.follow();
  }

  /** Leaves rows about which a fact waits: the client may have reconnected in time. */
  private async endLapsed<Row extends MediaResource>(
    resource: FactResource,
    entity: EntityTarget<Row>,
    lapsed: FindOptionsWhere<Row>,
    end: (manager: EntityManager, where: FindOptionsWhere<Row>) => Promise<WorkerCommand[]>,
  ): Promise<void> {
    const order = { graceUntil: 'ASC' } as FindOptionsOrder<Row>;
    const rows = await this.dataSource.manager.find(entity, { select: { id: true } as never, where: lapsed, order });
    const ids = rows.map(({ id }) => id);
    const waiting = await this.facts.waitingAmong(resource, ids);
    const free = ids.filter(id => !waiting.has(id));
    for (const portion of portionsOf(free, rowsAtOnce)) {
      const where = { ...lapsed, id: In(portion) };
      await this.commands.tell(await this.dataSource.transaction(manager => end(manager, where)));
    }
  }
}
