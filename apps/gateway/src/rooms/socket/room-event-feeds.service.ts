import type { RoomEvent } from '@rtms/contracts';
import { showEvent, type EventViewer } from '../life/event-view.js';
import type { StoredRoomEvent } from '../life/life.entities.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { RoomEventsRepository } from '../life/room-events.repository.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { deliverToMembers, type MemberSocket } from './member-socket.js';

/** A connection that follows the log of a room. */
export interface Follower extends EventViewer {
  /** The last event that it got or that was not for it. */
  sequence: number;
}

/** Delivers an event to members with the same view. */
type Deliver<Member> = (event: RoomEvent, members: readonly Member[]) => void;

export interface RoomLog {
  readAfter(meetingID: string, sequence: number): Promise<{ events: StoredRoomEvent[]; isAll: boolean }>;
}

/** Delivers the log of one room to its members on this replica: each event once, in order. */
export class RoomEventFeed<Member extends Follower> {
  private readonly followers = new Set<Member>();
  private running: Promise<void> | undefined;
  private isWanted = false;

  constructor(
    private readonly meetingID: string,
    private readonly log: RoomLog,
    private readonly deliver: Deliver<Member>,
  ) {}

  get isEmpty(): boolean {
    return this.followers.size === 0;
  }

  follow(follower: Member): void {
    this.followers.add(follower);
  }

  unfollow(follower: Member): void {
    this.followers.delete(follower);
  }

  /** Whether a follower has not yet got the event with this number. */
  isBehind(sequence: number): boolean {
    return this.oldest() < sequence;
  }

  /** Reads new events. Calls during a read cause one more read. After a failure the next call reads again. */
  async advance(): Promise<void> {
    this.isWanted = true;
    this.running ??= this.readWhileWanted().finally(() => (this.running = undefined));
    await this.running;
  }

  private async readWhileWanted(): Promise<void> {
    while (this.isWanted && !this.isEmpty) {
      this.isWanted = false;
      // A follower that arrives during the read may need earlier events: its own call reads them.
      const readers = [...this.followers];
      const { events, isAll } = await this.log.readAfter(this.meetingID, this.oldest());
      for (const event of events) this.give(event, readers);
      this.isWanted ||= !isAll;
    }
  }

  private give(event: StoredRoomEvent, readers: readonly Member[]): void {
    const viewOf = showEvent(event);
    const groups = new Map<RoomEvent, Member[]>();
    for (const follower of readers) {
      if (follower.sequence >= event.sequence || !this.followers.has(follower)) continue;
      follower.sequence = event.sequence;
      const view = viewOf(follower);
      if (!view) continue;
      const group = groups.get(view);
      if (group) group.push(follower);
      else groups.set(view, [follower]);
    }
    for (const [view, members] of groups) this.deliver(view, members);
  }

  private oldest(): number {
    return Math.min(...[...this.followers].map(follower => follower.sequence));
  }
}

/** The feeds of all rooms with members on this replica. */
@Injectable()
export class RoomEventFeedsService extends RepeatingService {
  private readonly logger = new Logger(RoomEventFeedsService.name);
  private readonly feeds = new Map<string, RoomEventFeed<MemberSocket>>();

  constructor(
    private readonly events: RoomEventsRepository,
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
  }

  follow(meetingID: string, follower: MemberSocket): void {
    const feed = this.feeds.get(meetingID) ?? new RoomEventFeed(meetingID, this.events, deliverToMembers);
    this.feeds.set(meetingID, feed);
    feed.follow(follower);
    this.advance(meetingID);
  }

  unfollow(meetingID: string, follower: MemberSocket): void {
    const feed = this.feeds.get(meetingID);
    feed?.unfollow(follower);
    if (feed?.isEmpty) this.feeds.delete(meetingID);
  }

  advance(meetingID: string): void {
    this.feeds
      .get(meetingID)
      ?.advance()
      .catch((error: unknown) => this.logger.warn(`events of a room are not read yet: ${messageOf(error)}`));
  }

  /** Reads the rooms with new events. */
  advanceAll(): void {
    this.task.trigger();
  }

  has(meetingID: string): boolean {
    return this.feeds.has(meetingID);
  }

  /** Finds new events whose announcement was lost. */
  protected async run(): Promise<void> {
    if (this.feeds.size === 0) return;
    for (const { meetingID, sequence } of await this.events.lastSequences([...this.feeds.keys()]))
      if (this.feeds.get(meetingID)?.isBehind(sequence)) this.advance(meetingID);
  }
}
