import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason, ExternalSessionFact, Fact } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { RepairRequests } from '../background/repair-requests.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { closeRoom, closeSession, type WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { applyFact, type AppliedFact } from '../media/apply-fact.js';
import { endLapsed, type FindWaiting } from '../media/lapsed-rows.js';
import { lockLive, updateRow } from '../media/locked-rows.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { PlaybackLifecycle } from '../playbacks/playback-lifecycle.service.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { RecordingLifecycle } from '../recordings/recording-lifecycle.service.js';
import { SessionNews } from '../room-life/session-news.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { decideSessionFact, endedSession, type SessionEffect } from './decide-session-fact.js';
import { hasVideo } from './decide-track-action.js';
import { ExternalSession } from './external-session.entity.js';

/**
 * How external sessions change, and with them what depends on them, whoever asks for it. Commands are to be
 * sent once the transaction is committed.
 */
@Injectable()
export class SessionLifecycle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly playbacks: PlaybackLifecycle,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly recordings: RecordingLifecycle,
    private readonly commands: WorkerCommands,
    private readonly repairs: RepairRequests,
    private readonly usage: UsageLedger,
    private readonly homes: RoomHomes,
    private readonly nodes: NodeRegistry,
    private readonly news: SessionNews,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async applyFact(fact: Fact<ExternalSessionFact>): Promise<void> {
    const timing = { at: new Date(fact.at), now: new Date(this.clock.now()), graceMs: this.settings.graceMs };
    const { commands, isAwaited } = await this.dataSource.transaction(async manager => {
      const applied = await applyFact(manager, ExternalSession, fact, (row, body) =>
        decideSessionFact(row, body, timing),
      );
      if (!applied) return { commands: [], isAwaited: false };
      await this.keepUsage(manager, applied, timing.at);
      const isBack = applied.effect === 'activated';
      const isAwaited = isBack && (await this.hasHomeless(manager, applied.row));
      return { commands: await this.followUp(manager, applied), isAwaited };
    });
    // Not waited for: a node that does not answer must not hold up the facts behind this one.
    void this.commands.tell(commands, fact.requestID);
    this.news.tell(fact.resourceID);
    // Without its publisher it can leave a node that is drained at once. The reconciler opens what no node holds since the source was
    // lost. It looks only now: it must find the row committed, and the commands above on their way.
    if (isAwaited || this.nodes.find('sfu', fact.nodeID)?.draining) this.repairs.request();
  }

  /** Ends a locked session and what depends on it. */
  async end(manager: EntityManager, row: ExternalSession, reason: EndReason): Promise<WorkerCommand[]> {
    const now = new Date(this.clock.now());
    await updateRow(manager, ExternalSession, row, endedSession(row, reason, now));
    await this.usage.finish(manager, row.id, now);
    const dependents = await this.endDependents(manager, row.id);
    return [...dependents, ...closeSession(row)];
  }

  /** Ends all that runs in a room: what depends on sessions before the sessions, and last the room on its nodes. */
  async endRoom(manager: EntityManager, meetingID: string): Promise<WorkerCommand[][]> {
    const rows = await lockLive(manager, ExternalSession, { meetingID });
    const playbacks = await this.playbacks.endAll(manager, { meetingID }, 'room_ended');
    const broadcasts = await this.broadcasts.endAll(manager, { meetingID }, 'room_ended');
    const recordings = await this.recordings.endAll(manager, { meetingID }, 'room_ended');
    for (const row of rows)
      await updateRow(manager, ExternalSession, row, endedSession(row, 'room_ended', new Date(this.clock.now())));
    return [[...playbacks, ...broadcasts], recordings, await this.closeOnNodes(manager, meetingID)];
  }

  /** Of a session whose last track of video was closed nothing is left to broadcast. */
  async endWithoutVideo(manager: EntityManager, row: ExternalSession): Promise<WorkerCommand[]> {
    if (row.state !== 'active' || hasVideo(row.tracks)) return [];
    return this.broadcasts.endAll(manager, { sourceSessionID: row.id }, 'source_ended');
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
        const commands = await this.dataSource.transaction(manager => this.endLost(manager, where));
        await this.commands.tell(commands);
      },
    });
  }

  private async endLost(manager: EntityManager, where: FindOptionsWhere<ExternalSession>): Promise<WorkerCommand[]> {
    const ended: WorkerCommand[] = [];
    for (const row of await lockLive(manager, ExternalSession, where)) {
      ended.push(...(await this.end(manager, row, 'publisher_lost')));
    }
    return ended;
  }

  /** A node keeps a room that has no session left, so those of ended sessions are told too. */
  private async closeOnNodes(manager: EntityManager, meetingID: string): Promise<WorkerCommand[]> {
    const rows = await manager.find(ExternalSession, { where: { meetingID }, select: { id: true, nodeID: true } });
    const nodeIDs = new Set([...rows.map(row => row.nodeID), ...(await this.homes.nodesOf(manager, meetingID))]);
    return [...nodeIDs].flatMap(nodeID => closeRoom({ nodeID, meetingID }));
  }

  private async endDependents(manager: EntityManager, sessionID: string): Promise<WorkerCommand[]> {
    const where = { sourceSessionID: sessionID };
    const playbacks = await this.playbacks.endAll(manager, where, 'source_ended');
    const broadcasts = await this.broadcasts.endAll(manager, where, 'source_ended');
    return [...playbacks, ...broadcasts, ...(await this.recordings.endAll(manager, where, 'source_ended'))];
  }

  /** A session uses up minutes while it is active, by the clock of the node that saw it begin and end. */
  private async keepUsage(
    manager: EntityManager,
    { row, effect }: AppliedFact<ExternalSession, SessionEffect>,
    at: Date,
  ): Promise<void> {
    const { id: resourceID, meetingID } = row;
    if (effect === 'activated')
      await this.usage.begin(manager, { kind: 'external_session', resourceID, meetingID, at });
    if (effect === 'interrupted' || effect === 'ended') await this.usage.finish(manager, resourceID, at);
  }

  private followUp(
    manager: EntityManager,
    { row, effect }: AppliedFact<ExternalSession, SessionEffect>,
  ): Promise<WorkerCommand[]> {
    switch (effect) {
      case 'activated':
        return this.resumeDependents(manager, row);
      case 'interrupted':
        return this.interruptDependents(manager, row.id);
      case 'ended':
        return this.endDependents(manager, row.id);
      case 'none':
        return this.endWithoutVideo(manager, row);
      case 'ignored':
        return Promise.resolve([]);
      default:
        return effect satisfies never;
    }
  }

  private async interruptDependents(manager: EntityManager, sessionID: string): Promise<WorkerCommand[]> {
    const broadcasts = await this.broadcasts.interruptAll(manager, [sessionID]);
    return [...broadcasts, ...(await this.recordings.interruptAll(manager, sessionID))];
  }

  /** Whether something is made of the session that no node holds, or not where the session is. */
  private async hasHomeless(manager: EntityManager, { id, nodeID, nodeEpoch }: ExternalSession): Promise<boolean> {
    const statement = `SELECT 1 FROM playbacks WHERE source_session_id = $1 AND state NOT IN ('ended', 'failed')
        AND (node_epoch IS NULL OR (node_id, node_epoch) IS DISTINCT FROM ($2, $3::bigint))
      UNION ALL SELECT 1 FROM broadcasts WHERE source_session_id = $1 AND state NOT IN ('ended', 'failed')
        AND node_epoch IS NULL LIMIT 1`;
    return (await manager.query<unknown[]>(statement, [id, nodeID, nodeEpoch])).length > 0;
  }

  private async resumeDependents(manager: EntityManager, row: ExternalSession): Promise<WorkerCommand[]> {
    if (row.nodeID === null) return [];
    const broadcasts = await this.broadcasts.resumeAll(manager, row.id, row.nodeID);
    return [...broadcasts, ...(await this.recordings.resumeAll(manager, row.id, row.nodeID))];
  }
}
