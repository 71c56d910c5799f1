import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager } from 'typeorm';
import { whereLive, whereRunning } from '../media/live-states.js';
import { CLOCK } from '../runtime.module.js';
import { Room } from './room.entity.js';

const liveMedia = ['external_sessions', 'playbacks', 'broadcasts']
  .map(table => `SELECT meeting_id FROM ${table} WHERE ${whereLive()}`)
  .join(' UNION ')
  .concat(` UNION SELECT meeting_id FROM recordings WHERE ${whereRunning()}`);

/**
 * Looks up the room of each live resource. OFFSET 0 keeps the planner from joining the other way round, by a scan of all
 * rooms that ever were.
 */
const endedWithLiveMedia = `
SELECT ended.id FROM (${liveMedia}) AS live, LATERAL (
  SELECT r.id FROM rooms r WHERE r.id = live.meeting_id AND r.state = 'ended' OFFSET 0) AS ended`;

const endedAmong = `
SELECT named.id FROM unnest($1::text[]) AS named (id) LEFT JOIN LATERAL (
  SELECT r.id FROM rooms r WHERE r.id = named.id AND r.state = 'active' OFFSET 0) AS active ON true
WHERE active.id IS NULL`;

/** The state of rooms, for whoever ends them. */
const runningOfDisabledAccounts = `
SELECT running.id FROM accounts a, LATERAL (
  SELECT r.id FROM rooms r WHERE r.account_id = a.id AND r.state = 'active' LIMIT 100) AS running
WHERE a.state = 'disabled' LIMIT 100`;

@Injectable()
export class RoomStateService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether the room has ended, now or before; one whose time is not over does not expire. */
  async end(manager: EntityManager, meetingID: string, endReason: EndReason): Promise<boolean> {
    const now = new Date(this.clock.now());
    const isDue = endReason === 'expired' ? { expiresAt: LessThanOrEqual(now) } : {};
    const running = { id: meetingID, state: 'active' as const };
    const { affected } = await manager.update(Room, { ...running, ...isDue }, endedRoom(endReason, now));
    return affected === 1 || !(await manager.existsBy(Room, running));
  }

  async listRunning(accountID: string): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.manager.find(Room, { where: { accountID, state: 'active' }, select: { id: true } });
  }

  async listExpired(now: Date): Promise<Room[]> {
    return this.dataSource.manager.findBy(Room, { state: 'active', expiresAt: LessThanOrEqual(now) });
  }

  /** The given rooms that have ended or never existed; usually none, so that the answer is short. */
  async listEndedAmong(meetingIDs: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(endedAmong, [meetingIDs]);
    return rows.map(({ id }) => id);
  }

  /** A gateway ended before it had ended all rooms of an account that was disabled, or one came into being meanwhile. */
  async listOfDisabledAccounts(): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.query<Pick<Room, 'id'>[]>(runningOfDisabledAccounts);
  }

  /** Something was opened at the very moment when its room ended. */
  async listEndedWithLiveMedia(): Promise<Pick<Room, 'id'>[]> {
    return this.dataSource.query<Pick<Room, 'id'>[]>(endedWithLiveMedia);
  }
}

function endedRoom(endReason: EndReason, endedAt: Date): Partial<Room> {
  return { state: 'ended', endReason, endedAt };
}
