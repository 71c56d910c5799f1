import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { atMost, repairsAtOnce } from '../background/in-turns.js';
import { updateRows } from '../database/plain-rows.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { closeRoom } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { placedOn } from '../media/make-media-row.js';
import { PlaybackOpening } from '../playbacks/playback-opening.service.js';
import { Playback } from '../playbacks/playback.entity.js';
import { RoomMediaPlace } from '../room-media/room-media.entity.js';
import { CLOCK } from '../runtime.module.js';
import type { ReturnedRoom } from './find-returned.js';
import { lockAllUnchanged } from './lock-unchanged.js';
import { openSession } from './session-repair.service.js';

const changedColumns = ['nodeID', 'nodeEpoch', 'placedAt', 'factSequence'] as const;

/**
 * Gives rooms back to nodes that were cut off from the bus for longer than a lease lasts. Their media never stopped, so
 * nobody has to connect anew.
 */
@Injectable()
export class RoomReturn {
  private readonly logger = new Logger(RoomReturn.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly opening: PlaybackOpening,
    private readonly commands: WorkerCommands,
    private readonly limits: AccountLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async giveBack(rooms: readonly ReturnedRoom[]): Promise<void> {
    await atMost(repairsAtOnce, rooms, room => this.giveBackOne(room));
  }

  private async giveBackOne(room: ReturnedRoom): Promise<void> {
    const moved = await this.move(room);
    if (!moved) return;
    const { meetingID, nodeID } = room;
    this.logger.log({ meetingID, nodeID }, 'a room stays at its node, which was cut off for a while');
    const others = new Set(room.sessions.map(row => row.nodeID).filter(each => each !== nodeID));
    // The other node lets go first, so that never two answer for the room.
    await this.commands.tell([...others].flatMap(other => closeRoom({ meetingID, nodeID: other })));
    // A node reports again what it already has open.
    const bounds = await this.limits.readAllSourceBounds(moved.sessions.map(({ accountID }) => accountID));
    await this.commands.tell(moved.sessions.map(row => openSession(row, { nodeID }, bounds.get(row.accountID))));
    await this.opening.reopenAll(moved.playbacks);
  }

  /** undefined: something else has happened to the room since it was read, or its members are at another node. */
  private move(room: ReturnedRoom): Promise<{ sessions: ExternalSession[]; playbacks: Playback[] } | undefined> {
    const { meetingID, nodeID, epoch } = room;
    return this.dataSource.transaction(async manager => {
      const sessions = await lockAllUnchanged(manager, ExternalSession, room.sessions);
      if (sessions.length < room.sessions.length || sessions.some(({ state }) => state !== 'pending')) return undefined;
      const place = await manager.findOneBy(RoomMediaPlace, { meetingID });
      if (place && place.nodeID !== nodeID) return undefined;
      const playbacks = await lockAllUnchanged(manager, Playback, room.playbacks);
      const placement = placedOn({ nodeID, epoch }, new Date(this.clock.now()));
      for (const row of [...sessions, ...playbacks]) Object.assign(row, placement);
      await updateRows(manager.getRepository(ExternalSession), sessions, changedColumns);
      await updateRows(manager.getRepository(Playback), playbacks, changedColumns);
      return { sessions, playbacks };
    });
  }
}
