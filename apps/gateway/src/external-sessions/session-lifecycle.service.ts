import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { DataSource, In, LessThanOrEqual, type EntityManager } from 'typeorm';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../database/plain-rows.js';
import { closeRoom, closeSession, type WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { endLapsed, type FindWaiting } from '../media/lapsed-rows.js';
import { lockLive } from '../media/locked-rows.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { PlaybackLifecycle } from '../playbacks/playback-lifecycle.service.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { RecordingLifecycle } from '../recordings/recording-lifecycle.service.js';
import { SessionNews } from '../room-life/session-news.js';
import { CLOCK } from '../runtime.module.js';
import { endedSession } from './decide-session-fact.js';
import { hasVideo } from './decide-track-action.js';
import { ExternalSession } from './external-session.entity.js';

const changedByEnd = [
  'state',
  'endReason',
  'endedAt',
  'graceUntil',
  'tracks',
] as const satisfies (keyof ExternalSession)[];

/**
 * How external sessions end, and with them what depends on them, whoever asks for it. Commands are to be sent once the
 * transaction is committed.
 */
@Injectable()
export class SessionLifecycle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly playbacks: PlaybackLifecycle,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly recordings: RecordingLifecycle,
    private readonly commands: WorkerCommands,
    private readonly usage: UsageLedger,
    private readonly homes: RoomHomes,
    private readonly news: SessionNews,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Ends a locked session and what depends on it. */
  end(manager: EntityManager, row: ExternalSession, reason: EndReason): Promise<WorkerCommand[]> {
    return this.endAll(manager, [row], reason);
  }

  /** Ends the playbacks, broadcasts and recordings that are made of the sessions. */
  async endDependents(manager: EntityManager, sessionIDs: readonly string[]): Promise<WorkerCommand[]> {
    if (sessionIDs.length === 0) return [];
    const where = { sourceSessionID: In(sessionIDs) };
    const playbacks = await this.playbacks.endAll(manager, where, 'source_ended');
    const broadcasts = await this.broadcasts.endAll(manager, where, 'source_ended');
    return [...playbacks, ...broadcasts, ...(await this.recordings.endAll(manager, where, 'source_ended'))];
  }

  /** Ends all that runs in a room: what depends on sessions before the sessions, and last the room on its nodes. */
  async endRoom(manager: EntityManager, meetingID: string): Promise<WorkerCommand[][]> {
    const rows = await lockLive(manager, ExternalSession, { meetingID });
    const playbacks = await this.playbacks.endAll(manager, { meetingID }, 'room_ended');
    const broadcasts = await this.broadcasts.endAll(manager, { meetingID }, 'room_ended');
    const recordings = await this.recordings.endAll(manager, { meetingID }, 'room_ended');
    await this.storeEnd(manager, rows, 'room_ended');
    return [[...playbacks, ...broadcasts], recordings, await this.closeOnNodes(manager, meetingID)];
  }

  /** Ends the broadcasts of active sessions that send no video any more. */
  async endWithoutVideo(manager: EntityManager, rows: readonly ExternalSession[]): Promise<WorkerCommand[]> {
    const without = rows.filter(({ state, tracks }) => state === 'active' && !hasVideo(tracks));
    if (without.length === 0) return [];
    return this.broadcasts.endAll(manager, { sourceSessionID: In(without.map(({ id }) => id)) }, 'source_ended');
  }

  async hasDependents(manager: EntityManager, sessionID: string): Promise<boolean> {
    const playbacks = await this.playbacks.countLive(manager, sessionID);
    return playbacks > 0 || (await this.broadcasts.countLive(manager, sessionID)) > 0;
  }

  /** The publisher of a `service-webrtc` session said farewell; that of a WHIP session says so to its node. */
  async publisherLeaves(sessionID: string): Promise<void> {
    const commands = await this.dataSource.transaction(async manager => {
      const [row] = await lockLive(manager, ExternalSession, { id: sessionID });
      return row ? this.end(manager, row, 'publisher_left') : [];
    });
    this.news.tell(sessionID);
    await this.commands.tell(commands);
  }

  /** Ends the sessions whose publishers did not come back in time. */
  async sweepGrace(now: Date, findWaiting: FindWaiting): Promise<void> {
    const lapsed = { state: 'pending' as const, graceUntil: LessThanOrEqual(now) };
    await endLapsed(this.dataSource.manager, ExternalSession, lapsed, {
      findWaiting,
      end: async where => {
        const commands = await this.dataSource.transaction(async manager =>
          this.endAll(manager, await lockLive(manager, ExternalSession, where), 'publisher_lost'),
        );
        await this.commands.tell(commands);
      },
    });
  }

  private async endAll(
    manager: EntityManager,
    rows: readonly ExternalSession[],
    reason: EndReason,
  ): Promise<WorkerCommand[]> {
    const now = await this.storeEnd(manager, rows, reason);
    const ids = rows.map(({ id }) => id);
    const ends = ids.map(resourceID => ({ resourceID, at: now }));
    await this.usage.finishAll(manager, ends);
    return [...(await this.endDependents(manager, ids)), ...rows.flatMap(closeSession)];
  }

  /** Answers the time of the end. */
  private async storeEnd(manager: EntityManager, rows: readonly ExternalSession[], reason: EndReason): Promise<Date> {
    const now = new Date(this.clock.now());
    for (const row of rows) Object.assign(row, endedSession(row, reason, now));
    await updateRows(manager.getRepository(ExternalSession), rows, changedByEnd);
    return now;
  }

  /** A node keeps a room that has no session left, so those of ended sessions are told too. */
  private async closeOnNodes(manager: EntityManager, meetingID: string): Promise<WorkerCommand[]> {
    const rows = await manager.find(ExternalSession, { where: { meetingID }, select: { id: true, nodeID: true } });
    const nodeIDs = new Set([...rows.map(row => row.nodeID), ...(await this.homes.nodesOf(manager, meetingID))]);
    return [...nodeIDs].flatMap(nodeID => closeRoom({ nodeID, meetingID }));
  }
}
