import { EventEmitter, once } from 'node:events';
import type { Closeable } from '@rtms/bus';
import { lateTicks, type Timer } from '@rtms/clock';
import type { Member } from './member.js';
import type { Playback } from './playback.js';
import { roomTimings, type RoomContext } from './room-context.js';
import { Room } from './room.js';
import type { Session } from './session.js';
import type { ViewerEventType } from './viewer-events.js';

/** Subscribes to requests for a room on the bus, until closed. */
type RoomAnnouncer = (meetingID: string) => Promise<Closeable>;

interface OpenRoom {
  room: Room;
  announcement: Closeable;
}

const sweepEveryMs = 500;

/** The rooms of this node. */
export class RoomRegistry implements Closeable {
  private readonly opening = new Map<string, Promise<OpenRoom>>();
  private readonly rooms = new Map<string, OpenRoom>();
  /** Emits the ID of each room that opens. */
  private readonly opened = new EventEmitter().setMaxListeners(0);
  private announce: RoomAnnouncer = () => Promise.resolve({ close: () => Promise.resolve() });
  private readonly timer: Timer;
  private sweeping: Promise<void> | undefined;
  /** Sweeps start at this time (ms since 1970). */
  private judgesFrom = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: RoomContext) {
    const { clock } = context;
    const isLate = lateTicks(clock, sweepEveryMs);
    this.timer = clock.every(sweepEveryMs, () => {
      // This process was blocked. Read the media workers' counters first, because the workers kept running.
      if (isLate()) this.judgesFrom = clock.now() + roomTimings.lostAfter;
      if (clock.now() >= this.judgesFrom) void this.sweep();
    });
  }

  announceWith(announcer: RoomAnnouncer): void {
    this.announce = announcer;
  }

  find(meetingID: string): Room | undefined {
    return this.rooms.get(meetingID)?.room;
  }

  /** Resolves when this node opens the room. Rejects when `signal` aborts. */
  async untilOpen(meetingID: string, signal: AbortSignal): Promise<void> {
    await once(this.opened, meetingID, { signal });
  }

  /** Returns the room. Opens it if needed. Throws `capacity_reached` if all media workers are full. */
  async open(meetingID: string): Promise<Room> {
    const open = this.rooms.get(meetingID) ?? (await this.openOnce(meetingID));
    return open.room;
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await Promise.allSettled(this.opening.values());
    for (const meetingID of [...this.rooms.keys()]) await this.closeRoom(meetingID);
  }

  async closeRoom(meetingID: string): Promise<void> {
    await this.opening.get(meetingID)?.catch(() => undefined);
    const open = this.rooms.get(meetingID);
    this.rooms.delete(meetingID);
    await open?.announcement.close();
    await open?.room.close();
  }

  roomOfSession(sessionID: string): Room | undefined {
    return this.list().find(room => room.hasSession(sessionID));
  }

  roomOfPlayback(playbackID: string): Room | undefined {
    return this.list().find(room => room.hasPlayback(playbackID));
  }

  roomOfFeed(feedID: string): Room | undefined {
    return this.list().find(room => room.hasFeed(feedID));
  }

  roomOfMember(participantID: string): Room | undefined {
    return this.list().find(room => room.members.has(participantID));
  }

  roomOfTrack(trackID: string): Room | undefined {
    return this.list().find(room => room.members.findTrack(trackID) !== undefined);
  }

  roomOfSource(sourceID: string): Room | undefined {
    return this.list().find(room => room.hasSource(sourceID));
  }

  meetingIDs(): string[] {
    return [...this.rooms.keys()];
  }

  list(): Room[] {
    return [...this.rooms.values()].map(({ room }) => room);
  }

  sessions(): { room: Room; session: Session }[] {
    return this.list().flatMap(room => room.listSessions().map(session => ({ room, session })));
  }

  members(): { room: Room; member: Member }[] {
    return this.list().flatMap(room => room.members.list().map(member => ({ room, member })));
  }

  playbacks(): Playback[] {
    return this.list().flatMap(room => room.listPlaybacks());
  }

  /** True if nobody sends or receives on this node. */
  get isIdle(): boolean {
    return !this.list().some(room => room.isInUse);
  }

  /** Sends an event to all viewers with an event stream. */
  tellViewers(type: ViewerEventType): void {
    for (const room of this.list()) room.tellViewers(type);
  }

  /** Sweeps all rooms. Returns the running sweep if there is one. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepAll().finally(() => {
      this.sweeping = undefined;
    });
    return this.sweeping;
  }

  private async sweepAll(): Promise<void> {
    for (const room of this.list()) {
      await room.sweep().catch((error: unknown) => {
        this.context.logger.error({ err: error, meetingID: room.meetingID }, 'cannot sweep a room');
      });
    }
  }

  private openOnce(meetingID: string): Promise<OpenRoom> {
    const underway = this.opening.get(meetingID);
    if (underway) return underway;
    const opening = this.openNew(meetingID).finally(() => this.opening.delete(meetingID));
    this.opening.set(meetingID, opening);
    return opening;
  }

  private async openNew(meetingID: string): Promise<OpenRoom> {
    const room = new Room(meetingID, this.context);
    try {
      await room.open();
      const open = { room, announcement: await this.announce(meetingID) };
      this.rooms.set(meetingID, open);
      this.opened.emit(meetingID);
      return open;
    } catch (error) {
      await room.close();
      throw error;
    }
  }
}
