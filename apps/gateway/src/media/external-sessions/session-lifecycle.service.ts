import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, In, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { closeRoom, closeSession, type WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { lockLive } from '../resources/locked-rows.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { PlaybackLifecycleService } from '../playbacks/playback-lifecycle.service.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { RoomEndingService } from '../../rooms/ending/room-ending.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { endedSession } from './decide-session-fact.js';
import { hasVideo } from './decide-track-action.js';
import { ExternalSession } from '../resources/external-session.entity.js';

const changedByEnd = [
  'state',
  'endReason',
  'endedAt',
  'graceUntil',
  'tracks',
  'events',
] as const satisfies (keyof ExternalSession)[];

/**
 * Ends external sessions together with their playbacks, broadcasts, restreams and recordings. Callers send the returned commands after the
 * commit.
 */
@Injectable()
export class SessionLifecycleService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly playbacks: PlaybackLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly recordings: RecordingLifecycleService,
    private readonly restreams: RestreamLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly usage: UsageLedgerRepository,
    private readonly homes: RoomHomesService,
    private readonly rooms: RoomEndingService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.rooms.onEnd((manager, meetingID) => this.endRoom(manager, meetingID));
  }

  /** Ends the matching live sessions together with their dependents. */
  async endAll(
    manager: EntityManager,
    where: FindOptionsWhere<ExternalSession>,
    reason: EndReason,
  ): Promise<WorkerCommand[]> {
    const rows = await lockLive(manager, ExternalSession, where);
    const now = await this.storeEnd(manager, rows, reason);
    const ids = rows.map(({ id }) => id);
    const ends = ids.map(resourceID => ({ resourceID, at: now }));
    await this.usage.finishAll(manager, ends);
    return [...(await this.endDependents(manager, ids)), ...rows.flatMap(closeSession)];
  }

  /** Ends the playbacks, broadcasts, restreams and recordings of the sessions. */
  async endDependents(manager: EntityManager, sessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sessionIDs.length === 0) return [];
    const where = { sourceSessionID: In(sessionIDs) };
    const playbacks = await this.playbacks.endAll(manager, where, 'source_ended');
    const broadcasts = await this.broadcasts.endAll(manager, where, 'source_ended');
    const restreams = await this.restreams.endAll(manager, where, 'source_ended');
    const recordings = await this.recordings.endAll(manager, where, 'source_ended');
    return [...playbacks, ...broadcasts, ...restreams, ...recordings];
  }

  /** Ends all media of a room: dependents first, then the sessions, and last the room on its nodes. */
  private async endRoom(manager: EntityManager, meetingID: string): Promise<WorkerCommand[][]> {
    const rows = await lockLive(manager, ExternalSession, { meetingID });
    const playbacks = await this.playbacks.endAll(manager, { meetingID }, 'room_ended');
    const broadcasts = await this.broadcasts.endAll(manager, { meetingID }, 'room_ended');
    const restreams = await this.restreams.endAll(manager, { meetingID }, 'room_ended');
    const recordings = await this.recordings.endAll(manager, { meetingID }, 'room_ended');
    await this.storeEnd(manager, rows, 'room_ended');
    return [[...playbacks, ...broadcasts, ...restreams], recordings, await this.closeOnNodes(manager, meetingID)];
  }

  /** Ends the broadcasts of active sessions that no longer send video. */
  async endWithoutVideo(manager: EntityManager, rows: readonly ExternalSession[]): Promise<WorkerCommand[]> {
    const without = rows.filter(({ state, tracks }) => state === 'active' && !hasVideo(tracks));
    if (without.length === 0) return [];
    return this.broadcasts.endAll(manager, { sourceSessionID: In(without.map(({ id }) => id)) }, 'source_ended');
  }

  async hasDependents(manager: EntityManager, sessionID: string): Promise<boolean> {
    const playbacks = await this.playbacks.countLive(manager, sessionID);
    const broadcasts = playbacks > 0 ? 0 : await this.broadcasts.countLive(manager, sessionID);
    return playbacks + broadcasts > 0 || (await this.restreams.countLive(manager, sessionID)) > 0;
  }

  /** The publisher of a `service-webrtc` session left. A WHIP publisher tells its node instead. */
  async publisherLeaves(sessionID: string): Promise<void> {
    const commands = await this.dataSource.transaction(manager =>
      this.endAll(manager, { id: sessionID }, 'publisher_left'),
    );
    await this.commands.tell(commands);
  }

  /** Returns the time of the end. */
  private async storeEnd(manager: EntityManager, rows: readonly ExternalSession[], reason: EndReason): Promise<Date> {
    const now = new Date(this.clock.now());
    for (const row of rows) Object.assign(row, endedSession(row, reason, now));
    await updateRows(manager.getRepository(ExternalSession), rows, changedByEnd);
    return now;
  }

  /** A node keeps a room without sessions, so the nodes of ended sessions also get the command. */
  private async closeOnNodes(manager: EntityManager, meetingID: string): Promise<WorkerCommand[]> {
    const rows = await manager.find(ExternalSession, { where: { meetingID }, select: { id: true, nodeID: true } });
    const nodeIDs = new Set([...rows.map(row => row.nodeID), ...(await this.homes.nodesOf(manager, meetingID))]);
    return [...nodeIDs].flatMap(nodeID => closeRoom({ nodeID, meetingID }));
  }
}
