import { Injectable } from '@nestjs/common';
import type { RoomEvents } from '@rtms/contracts';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { StoredRoomEvent } from './room-event.entity.js';

/** An event before it has its place in the log. */
export type NewRoomEvent = {
  [Type in keyof RoomEvents]: { type: Type; body: RoomEvents[Type]; audience: readonly string[] | null };
}[keyof RoomEvents];

const advanceStatement = `
INSERT INTO room_feeds AS feed (meeting_id, sequence) VALUES ($1, $2)
ON CONFLICT (meeting_id) DO UPDATE SET sequence = feed.sequence + $2 RETURNING sequence`;

const pageSize = 500;

/** The log of each room. */
@Injectable()
export class RoomEventsStore {
  constructor(private readonly dataSource: DataSource) {}

  /** The room is locked: so events are visible in the order of their numbers. */
  async append(manager: EntityManager, meetingID: string, events: readonly NewRoomEvent[], at: Date): Promise<void> {
    if (events.length === 0) return;
    const [feed] = await manager.query<{ sequence: number }[]>(advanceStatement, [meetingID, events.length]);
    const first = (feed?.sequence ?? events.length) - events.length + 1;
    const rows = events.map(({ type, body, audience }, index) => ({
      meetingID,
      sequence: first + index,
      at,
      audience: audience && [...audience],
      type,
      body,
    }));
    await manager.insert(StoredRoomEvent, rows);
  }

  async lastSequence(manager: EntityManager, meetingID: string): Promise<number> {
    const sql = 'SELECT sequence FROM room_feeds WHERE meeting_id = $1';
    const [feed] = await manager.query<{ sequence: number }[]>(sql, [meetingID]);
    return feed?.sequence ?? 0;
  }

  /** The last number of each of these rooms that has one. */
  async lastSequences(meetingIDs: readonly string[]): Promise<{ meetingID: string; sequence: number }[]> {
    const sql = 'SELECT meeting_id AS "meetingID", sequence FROM room_feeds WHERE meeting_id = ANY($1)';
    return this.dataSource.query(sql, [meetingIDs]);
  }

  /** The next ones in order; `isAll` when none is left behind them. */
  async readAfter(meetingID: string, sequence: number): Promise<{ events: StoredRoomEvent[]; isAll: boolean }> {
    const events = await this.dataSource.manager.find(StoredRoomEvent, {
      where: { meetingID, sequence: MoreThan(sequence) },
      order: { sequence: 'ASC' },
      take: pageSize,
    });
    return { events, isAll: events.length < pageSize };
  }

  async hasEnded(manager: EntityManager, meetingID: string): Promise<boolean> {
    return manager.existsBy(StoredRoomEvent, { meetingID, type: 'room.ended' });
  }
}
