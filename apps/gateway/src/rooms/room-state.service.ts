import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, In, LessThanOrEqual, type EntityManager } from 'typeorm';
import { CLOCK } from '../runtime.module.js';
import { Room } from './room.entity.js';

const liveMedia = ['external_sessions', 'playbacks', 'broadcasts']
  .map(table => `SELECT meeting_id FROM ${table} WHERE state NOT IN ('ended', 'failed')`)
  .join(' UNION ')
  .concat(" UNION SELECT meeting_id FROM recordings WHERE state IN ('starting', 'recording')");

/** The state of rooms, for whoever ends them. */
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

  /** Those of the given rooms that have not ended. */
  async whichRun(meetingIDs: readonly string[]): Promise<Set<string>> {
    if (meetingIDs.length === 0) return new Set();
    const where = { id: In(meetingIDs), state: 'active' as const };
    const rooms = await this.dataSource.manager.find(Room, { where, select: { id: true } });
    return new Set(rooms.map(room => room.id));
  }

  /** Something was opened at the very moment when its room ended. */
  async listEndedWithLiveMedia(): Promise<Pick<Room, 'id'>[]> {
    const sql = `SELECT id FROM rooms WHERE state = 'ended' AND id IN (${liveMedia})`;
    return this.dataSource.query<Pick<Room, 'id'>[]>(sql);
  }
}

function endedRoom(endReason: EndReason, endedAt: Date): Partial<Room> {
  return { state: 'ended', endReason, endedAt };
}
