import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { RepeatingTask } from '../background/repeating-task.js';
import { RoomEventsStore } from '../room-life/room-events.store.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { deliverToMembers, type MemberConnection } from './member-connection.js';
import { RoomFeed } from './room-feed.js';

/** The feeds of all rooms that have members here. */
@Injectable()
export class RoomFeeds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RoomFeeds.name);
  private readonly feeds = new Map<string, RoomFeed<MemberConnection>>();
  private readonly task: RepeatingTask;

  constructor(
    private readonly events: RoomEventsStore,
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.task = new RepeatingTask(this.clock, RoomFeeds.name, settings.sweepIntervalMs, () => this.catchUp());
  }

  onApplicationBootstrap(): void {
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.close();
  }

  follow(meetingID: string, follower: MemberConnection): void {
    const feed = this.feeds.get(meetingID) ?? new RoomFeed(meetingID, this.events, deliverToMembers);
    this.feeds.set(meetingID, feed);
    feed.follow(follower);
    this.advance(meetingID);
  }

  unfollow(meetingID: string, follower: MemberConnection): void {
    const feed = this.feeds.get(meetingID);
    feed?.unfollow(follower);
    if (feed?.isEmpty) this.feeds.delete(meetingID);
  }

  /** Something happened in the room. */
  advance(meetingID: string): void {
    this.feeds
      .get(meetingID)
      ?.advance()
      .catch((error: unknown) => this.logger.warn(`not yet read: ${messageOf(error)}`));
  }

  has(meetingID: string): boolean {
    return this.feeds.has(meetingID);
  }

  /** News may be lost on the way; the log is not. */
  private async catchUp(): Promise<void> {
    if (this.feeds.size === 0) return;
    for (const { meetingID, sequence } of await this.events.lastSequences([...this.feeds.keys()]))
      if (this.feeds.get(meetingID)?.isBehind(sequence)) this.advance(meetingID);
  }
}
