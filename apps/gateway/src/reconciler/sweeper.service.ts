import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { RepairRequests } from '../background/repair-requests.js';
import { RepeatingTask } from '../background/repeating-task.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { MemberBroadcasts } from '../broadcasts/member-broadcasts.service.js';
import { SessionLifecycle } from '../external-sessions/session-lifecycle.service.js';
import { FactBacklog } from '../facts/fact-backlog.service.js';
import type { FactResource } from '../facts/fact-lanes.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { PlaybackLifecycle } from '../playbacks/playback-lifecycle.service.js';
import { RoomEndingService } from '../room-ending/room-ending.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';

/** Ends what is over: rooms by the clock, lost publishers and viewers by their grace time. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;
  private failedAt = Number.NEGATIVE_INFINITY;
  private hasFailed = false;

  constructor(
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    private readonly rooms: RoomEndingService,
    private readonly sessions: SessionLifecycle,
    private readonly playbacks: PlaybackLifecycle,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly memberBroadcasts: MemberBroadcasts,
    private readonly nodes: NodeRegistry,
    private readonly facts: FactBacklog,
    private readonly repairs: RepairRequests,
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
      this.noteRecovery();
      if (this.knowsThePresent()) await this.sweepGrace(now);
    } catch (error) {
      this.failedAt = this.clock.now();
      this.hasFailed = true;
      throw error;
    }
  }

  /** The reconciler looks at once at what an outage has left behind, before anybody is given up. */
  private noteRecovery(): void {
    if (this.hasFailed) this.repairs.request();
    this.hasFailed = false;
  }

  /**
   * After an outage of bus or database a node may not have reported yet that somebody came back: then nobody is given up.
   * A fact that was reported and waits holds up only the resource that it is about.
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
