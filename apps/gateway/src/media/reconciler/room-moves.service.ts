import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { atMost, inTurns, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { closeRoom } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { PlaybackOpeningService } from '../playbacks/playback-opening.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { lockAllUnchanged } from '../resources/locked-rows.js';
import { placedOn } from '../resources/placement.js';
import { Playback } from '../resources/playback.entity.js';
import { RoomMediaPlace } from '../resources/media-resource.entity.js';
import { findLeaving, placeOf, type ReturnedRoom } from './find-moving-rooms.js';
import { PlaybackRepairService } from './playback-repair.service.js';
import { openSession, SessionRepairService } from './session-repair.service.js';
import type { Snapshot } from './snapshot.js';

const changedColumns = ['nodeID', 'nodeEpoch', 'placedAt', 'factSequence'] as const;

/** Moves rooms away from draining nodes, and back to nodes that were cut off from the bus. */
@Injectable()
export class RoomMovesService {
  private readonly logger = new Logger(RoomMovesService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionRepairService,
    private readonly playbacks: PlaybackRepairService,
    private readonly opening: PlaybackOpeningService,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Moves rooms without an active external session away from draining nodes. Publishers and viewers reach the new node by
   * their former URLs. Members get an event and open their media again.
   */
  async evacuate(snapshot: Snapshot): Promise<void> {
    const leaving = await findLeaving(snapshot);
    if (leaving.length === 0) return;
    const places = new Set(leaving.map(placeOf));
    // The former node closes the room first, so that two nodes never answer for it.
    await this.commands.tell(leaving.flatMap(closeRoom));
    await this.sessions.reopen(await rowsAt(places, snapshot.sessions.values()));
    await this.playbacks.reopen(await rowsAt(places, snapshot.playbacks.values()));
  }

  /**
   * Gives rooms back to nodes that were cut off from the bus for longer than a lease lasts. Their media never stopped, so
   * no client has to reconnect.
   */
  async giveBack(rooms: readonly ReturnedRoom[]): Promise<void> {
    await atMost(repairsAtOnce, rooms, room => this.giveBackOne(room));
  }

  private async giveBackOne(room: ReturnedRoom): Promise<void> {
    const moved = await this.moveBack(room);
    if (!moved) return;
    const { meetingID, nodeID } = room;
    this.logger.log({ meetingID, nodeID }, 'a room stays at its node, which was cut off for a while');
    const others = new Set(room.sessions.map(row => row.nodeID).filter(each => each !== nodeID));
    // The other node closes the room first, so that two nodes never answer for it.
    await this.commands.tell([...others].flatMap(other => closeRoom({ meetingID, nodeID: other })));
    // A node reports again the sessions that it already has.
    const bounds = await this.limits.readAllSourceBounds(moved.sessions.map(({ accountID }) => accountID));
    await this.commands.tell(moved.sessions.map(row => openSession(row, { nodeID }, bounds.get(row.accountID))));
    await this.opening.reopenAll(moved.playbacks);
  }

  /** undefined: the room changed since it was read, or its members are on another node. */
  private moveBack(room: ReturnedRoom): Promise<{ sessions: ExternalSession[]; playbacks: Playback[] } | undefined> {
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

async function rowsAt<Row extends Parameters<typeof placeOf>[0]>(
  places: ReadonlySet<string>,
  rows: Iterable<Row>,
): Promise<Row[]> {
  const found: Row[] = [];
  await inTurns(rows, row => {
    if (places.has(placeOf(row))) found.push(row);
  });
  return found;
}
