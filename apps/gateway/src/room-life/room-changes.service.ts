import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { requireRoom, requireRunning } from '../rooms/require-running.js';
import { Room } from '../rooms/room.entity.js';
import { CLOCK } from '../runtime.module.js';
import { RoomChange } from './room-change.js';
import { RoomEventsStore } from './room-events.store.js';
import { RoomNewsBoard } from './room-news.js';

/** Every change of what a room's members see: one after the other, each together with its events. */
@Injectable()
export class RoomChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: RoomEventsStore,
    private readonly news: RoomNewsBoard,
    private readonly commands: WorkerCommands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT, `room_ended`, when the room is over. */
  run<Result>(meetingID: string, work: (change: RoomChange) => Promise<Result>): Promise<Result> {
    return this.perform(meetingID, change => {
      requireRunning(change.room, change.now.getTime());
      return work(change);
    });
  }

  /** For what must be noted while a room ends too. Of a room that is gone nothing is left to note. */
  async runUnlessEnded(meetingID: string, work: (change: RoomChange) => Promise<void>): Promise<void> {
    await this.perform(meetingID, async change => {
      if (change.room.state === 'active') await work(change);
    });
  }

  private async perform<Result>(meetingID: string, work: (change: RoomChange) => Promise<Result>): Promise<Result> {
    const { result, change } = await this.dataSource.transaction(async manager => {
      const made = new RoomChange(manager, await lockRoom(manager, meetingID), new Date(this.clock.now()));
      const answer = await work(made);
      await this.events.append(manager, meetingID, made.events, made.now);
      return { result: answer, change: made };
    });
    this.announce(meetingID, change);
    return result;
  }

  private announce(meetingID: string, { events, news, commands }: RoomChange): void {
    for (const each of news) this.news.tell(each);
    if (events.length > 0) this.news.tell({ kind: 'events', meetingID });
    if (commands.length > 0) void this.commands.tell(commands);
  }
}

/** What refers to the room may be written meanwhile: its key does not change. */
async function lockRoom(manager: EntityManager, meetingID: string): Promise<Room> {
  const lock = { mode: 'for_no_key_update' as const };
  return requireRoom(await manager.findOne(Room, { where: { id: meetingID }, lock }));
}
