import { Injectable } from '@nestjs/common';
import type { RoomEvents } from '@rtms/contracts';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { StoredRoomEvent } from './life.entities.js';

/** An event without its sequence number. */
export type NewRoomEvent = {
  [Type in keyof RoomEvents]: { type: Type; body: RoomEvents[Type]; audience: readonly string[] | null };
}[keyof RoomEvents];

const advanceStatement = `
INSERT INTO room_feeds AS feed (meeting_id, sequence) VALUES ($1, $2)
ON CONFLICT (meeting_id) DO UPDATE SET sequence = feed.sequence + $2 RETURNING sequence`;
const lastStatement = `
SELECT meeting_id AS "meetingID", sequence FROM room_feeds WHERE meeting_id = ANY($1)`;

/** Clients reconnect within seconds, so nobody reads the events of a room that ended ten minutes ago. */
const forgetStatement = `
DELETE FROM room_events WHERE meeting_id IN (
  SELECT meeting_id FROM room_feeds JOIN rooms ON rooms.id = meeting_id
  WHERE rooms.ended_at < $1::timestamptz - interval '10 minutes' LIMIT 100)`;
const forgetFeedsStatement = `
DELETE FROM room_feeds USING rooms WHERE rooms.id = meeting_id AND rooms.ended_at < $1::timestamptz - interval '10 minutes'
  AND NOT EXISTS (SELECT 1 FROM room_events e WHERE e.meeting_id = room_feeds.meeting_id)`;

const pageSize = 500;

/** The event log of each room. */
@Injectable()
export class RoomEventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The caller holds the room's lock, so events become visible in the order of their sequence numbers. */
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
    const [feed] = await this.lastSequences([meetingID], manager);
    return feed?.sequence ?? 0;
  }

  /** The last sequence number of each given room that has events. */
  lastSequences(
    meetingIDs: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<{ meetingID: string; sequence: number }[]> {
    return manager.query(lastStatement, [meetingIDs]);
  }

  /** The next events in order. `isAll`: no event follows them. */
  async readAfter(meetingID: string, sequence: number): Promise<{ events: StoredRoomEvent[]; isAll: boolean }> {
    const events = await this.dataSource.manager.find(StoredRoomEvent, {
      where: { meetingID, sequence: MoreThan(sequence) },
      order: { sequence: 'ASC' },
      take: pageSize,
    });
    return { events, isAll: events.length < pageSize };
  }

  hasEnded(manager: EntityManager, meetingID: string): Promise<boolean> {
    return manager.existsBy(StoredRoomEvent, { meetingID, type: 'room.ended' });
  }

  /** Deletes the events of rooms that ended more than ten minutes ago. */
  async forgetEnded(now: Date): Promise<void> {
    await this.dataSource.query(forgetStatement, [now]);
    await this.dataSource.query(forgetFeedsStatement, [now]);
  }
}
