import type { RoomEvent } from '@rtms/contracts';
import { showEvent, type Viewer } from '../room-life/event-view.js';
import type { StoredRoomEvent } from '../room-life/room-event.entity.js';

/** A connection that follows a room's log. */
export interface Follower extends Viewer {
  /** The last event that it was given, or that was not for it. */
  sequence: number;
}

/** Gives an event to those who see the same of it. */
export type Deliver<Member> = (event: RoomEvent, members: readonly Member[]) => void;

export interface RoomLog {
  readAfter(meetingID: string, sequence: number): Promise<{ events: StoredRoomEvent[]; isAll: boolean }>;
}

/** Gives the log of one room to those of its members whose sockets are here: each event once, and in order. */
export class RoomFeed<Member extends Follower> {
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

  /** Whether somebody here has not been given all up to there. */
  isBehind(sequence: number): boolean {
    return this.oldest() < sequence;
  }

  /** Reads on; whoever asks while it reads is served by one more reading. A failure is left to the next call. */
  async advance(): Promise<void> {
    this.isWanted = true;
    this.running ??= this.readWhileWanted().finally(() => (this.running = undefined));
    await this.running;
  }

  private async readWhileWanted(): Promise<void> {
    while (this.isWanted && !this.isEmpty) {
      this.isWanted = false;
      // Who comes while it reads may be further back than it read: it is served by the reading that it asks for.
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
