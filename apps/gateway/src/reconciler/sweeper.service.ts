import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { RepairRequests } from '../background/repair-requests.js';
import { RepeatingTask } from '../background/repeating-task.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { MemberBroadcasts } from '../broadcasts/member-broadcasts.service.js';
import { SessionLifecycle } from '../external-sessions/session-lifecycle.service.js';
import { FactsConsumer } from '../facts/facts-consumer.service.js';
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
    private readonly facts: FactsConsumer,
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
   * After an outage of bus or database the news that somebody came back may still be on its way: then nobody is
   * given up yet.
   */
  private knowsThePresent(): boolean {
    const isSteady = this.clock.now() - this.failedAt > this.settings.leaseTtlMs;
    return isSteady && this.nodes.isSettled() && !this.facts.isBehind();
  }

  private async sweepGrace(now: Date): Promise<void> {
    await this.sessions.sweepGrace(now);
    await this.playbacks.sweepGrace(now);
    await this.broadcasts.sweepGrace(now);
    await this.memberBroadcasts.follow();
  }
}
