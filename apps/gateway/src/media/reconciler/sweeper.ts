import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { MemberBroadcastsService } from '../broadcasts/member-broadcasts.service.js';
import { SessionRosterService } from '../external-sessions/session-roster.service.js';
import { SessionLifecycleService } from '../external-sessions/session-lifecycle.service.js';
import { FactBacklogService, type FactResource } from '../facts/fact-backlog.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { PlaybackLifecycleService } from '../playbacks/playback-lifecycle.service.js';
import { RoomEndingService } from '../../rooms/ending/room-ending.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';

/** Ends rooms whose time is over, and lost publishers and viewers whose grace time is over. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;
  private failedAt = Number.NEGATIVE_INFINITY;
  private hasFailed = false;

  constructor(
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly rooms: RoomEndingService,
    private readonly sessions: SessionLifecycleService,
    private readonly roster: SessionRosterService,
    private readonly playbacks: PlaybackLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly memberBroadcasts: MemberBroadcastsService,
    private readonly nodes: NodeRegistry,
    private readonly facts: FactBacklogService,
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, Sweeper.name, settings.sweepIntervalMs, () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  private async sweep(): Promise<void> {
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

  private async sweepGrace(now: Date): Promise<void> {
    const waitingOf = (resource: FactResource) => (ids: readonly string[]) => this.facts.waitingAmong(resource, ids);
    await this.sessions.sweepGrace(now, waitingOf('external_session'));
    await this.playbacks.sweepGrace(now, waitingOf('playback'));
    await this.broadcasts.sweepGrace(now, waitingOf('broadcast'));
    await this.memberBroadcasts.follow();
  }
}
