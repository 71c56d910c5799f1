import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager } from 'typeorm';
import type { RoomScope } from '../../platform/auth/room-scope.js';
import { whereLive, whereRunning } from '../../platform/rows/live-states.js';
import { BatchLines } from '../../platform/jobs/work-lines.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Room } from './room.entity.js';

/** The places that are taken in a room: `participantCount` and `reservedCount` together. */
export interface RoomCounts {
  /** Connected members and active external sessions. */
  participantCount: number;
  /** Tickets and sessions that wait to connect, and the place kept for the creator. */
  reservedCount: number;
  externalSessionCount: number;
}

interface CountsOfRoom extends RoomCounts {
  meetingID: string;
}

const noCounts: RoomCounts = { participantCount: 0, reservedCount: 0, externalSessionCount: 0 };

/** Counts external sessions by their table: the rooms domain must not import the media domain. */
const countsStatement = `
SELECT room.id AS "meetingID", members.connected + sessions.active AS "participantCount",
  members.away + sessions.count - sessions.active + creator.away AS "reservedCount",
  sessions.count AS "externalSessionCount"
FROM unnest($1::text[]) AS room (id),
  LATERAL (SELECT count(*) FILTER (WHERE is_connected)::int AS connected, count(*) FILTER (WHERE NOT is_connected)::int AS away
    FROM participants WHERE meeting_id = room.id AND state = 'joined' AND kind = 'member') AS members,
  LATERAL (SELECT count(*)::int AS count, count(*) FILTER (WHERE state = 'active')::int AS active FROM external_sessions
    WHERE meeting_id = room.id AND ${whereLive()} AND id IS DISTINCT FROM $2) AS sessions,
  -- The creator has a place before the first connection and after a lost connection.
  LATERAL (SELECT count(*)::int AS away FROM rooms LEFT JOIN participants ON participants.id = creator_id
    WHERE rooms.id = room.id AND rooms.state = 'active' AND creator_id IS NOT NULL
      AND (participants.id IS NULL OR (participants.state = 'left' AND leave_reason = 'participant_lost'))) AS creator`;

const runningStatement = `SELECT count(*)::int AS rooms FROM rooms WHERE account_id = $1 AND state = 'active'`;

/** The key of a room does not change, so other transactions may insert rows that refer to the room. */
const lockFreeStatement = `
SELECT id, state, expires_at AS "expiresAt", capacity FROM rooms WHERE id = ANY($1) AND account_id = $2
FOR NO KEY UPDATE SKIP LOCKED`;

const waitStatement = 'SELECT 1 FROM rooms WHERE id = $1 FOR NO KEY UPDATE';

export type LockedRoom = Pick<Room, 'id' | 'state' | 'expiresAt' | 'capacity'>;

const liveMedia = ['external_sessions', 'playbacks', 'broadcasts', 'restreams']
  .map(table => `SELECT meeting_id FROM ${table} WHERE ${whereLive()}`)
  .join(' UNION ')
  .concat(` UNION SELECT meeting_id FROM recordings WHERE ${whereRunning()}`);

/** Looks up the room of each live resource. OFFSET 0 keeps the planner from scanning all ended rooms instead. */
const endedWithLiveMediaStatement = `
SELECT ended.id FROM (${liveMedia}) AS live, LATERAL (
  SELECT r.id FROM rooms r WHERE r.id = live.meeting_id AND r.state = 'ended' OFFSET 0) AS ended`;

const endedAmongStatement = `
SELECT named.id FROM unnest($1::text[]) AS named (id) LEFT JOIN LATERAL (
  SELECT r.id FROM rooms r WHERE r.id = named.id AND r.state = 'active' OFFSET 0) AS active ON true
WHERE active.id IS NULL`;

const ofDisabledAccountsStatement = `
SELECT running.id FROM accounts a, LATERAL (
  SELECT r.id FROM rooms r WHERE r.account_id = a.id AND r.state = 'active' LIMIT 100) AS running
WHERE a.state = 'disabled' LIMIT 100`;

interface WantedRoom {
  meetingID: string;
  room?: Room | undefined;
}

/** Of one account. The second statement begins while the first one hangs. */
const findBounds = { longest: 5_000, size: 100, atOnce: 2 };

/** The states of rooms and the places in them. */
@Injectable()
export class RoomsRepository {
  private readonly finds = new BatchLines<WantedRoom>({
    ...findBounds,
    handle: (accountID, wanted) => this.findAll(accountID, wanted),
  });

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether the room has ended, now or before. With the reason `expired` a room that may go on stays active. */
  async end(manager: EntityManager, meetingID: string, endReason: EndReason): Promise<boolean> {
    const endedAt = new Date(this.clock.now());
    const isDue = endReason === 'expired' ? { expiresAt: LessThanOrEqual(endedAt) } : {};
    const running = { id: meetingID, state: 'active' as const };
    const { affected } = await manager.update(Room, { ...running, ...isDue }, { state: 'ended', endReason, endedAt });
    return affected === 1 || !(await manager.existsBy(Room, running));
  }

  /**
   * Returns undefined, alike for an unknown room and for a room outside the scope. Requests of an account that ask at the same time share a
   * statement.
   */
  async find({ accountID, environments }: RoomScope, meetingID: string): Promise<Room | undefined> {
    const wanted: WantedRoom = { meetingID };
    await this.finds.add(accountID, wanted);
    const { room } = wanted;
    return room && environments.includes(room.keyType) ? { ...room } : undefined;
  }

  private async findAll(accountID: string, wanted: readonly WantedRoom[]): Promise<void> {
    const rooms = this.dataSource.manager.getRepository(Room);
    const ids = [...new Set(wanted.map(({ meetingID }) => meetingID))];
    const found = await selectRows(rooms, 'WHERE id = ANY($1) AND account_id = $2', [ids, accountID]);
    const byID = new Map(found.map(room => [room.id, room]));
    for (const each of wanted) each.room = byID.get(each.meetingID);
  }

  async countRunning(manager: EntityManager, accountID: string): Promise<number> {
    const [row] = await manager.query<{ rooms: number }[]>(runningStatement, [accountID]);
    return row?.rooms ?? 0;
  }

  /** Locks the rooms that nobody else has locked, until the transaction ends. The others are absent. */
  async lockFree(manager: EntityManager, accountID: string, meetingIDs: readonly string[]): Promise<LockedRoom[]> {
    return manager.query<LockedRoom[]>(lockFreeStatement, [meetingIDs, accountID]);
  }

  /** Resolves when no transaction has the room locked. Returns false if the room does not exist. */
  async waitUntilFree(meetingID: string): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>(waitStatement, [meetingID])).length > 0;
  }

  listRunning(accountID: string): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.manager.find(Room, { where: { accountID, state: 'active' }, select: { id: true } });
  }

  listExpired(now: Date): Promise<Room[]> {
    return this.dataSource.manager.findBy(Room, { state: 'active', expiresAt: LessThanOrEqual(now) });
  }

  /** The given rooms that have ended or never existed. There are few of them, so the answer is short. */
  async listEndedAmong(meetingIDs: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(endedAmongStatement, [meetingIDs]);
    return rows.map(({ id }) => id);
  }

  /** Active rooms of disabled accounts: a gateway stopped before it ended them, or they were created meanwhile. */
  listOfDisabledAccounts(): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.query(ofDisabledAccountsStatement);
  }

  /** Ended rooms in which a resource was opened at the moment of their end. */
  listEndedWithLiveMedia(): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.query(endedWithLiveMediaStatement);
  }

  /** A function that returns the counts of each of the given rooms. `exceptSessionID` is not counted. */
  async count(
    meetingIDs: readonly string[],
    { manager = this.dataSource.manager, exceptSessionID }: { manager?: EntityManager; exceptSessionID?: string } = {},
  ): Promise<(meetingID: string) => RoomCounts> {
    if (meetingIDs.length === 0) return () => noCounts;
    const rows = await manager.query<CountsOfRoom[]>(countsStatement, [meetingIDs, exceptSessionID ?? null]);
    const byRoom = new Map(rows.map(({ meetingID, ...counts }) => [meetingID, counts]));
    return meetingID => byRoom.get(meetingID) ?? noCounts;
  }
}
