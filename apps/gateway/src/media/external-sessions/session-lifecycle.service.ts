import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { encoderPlaces, encoderProtocols, sfuCommands, type EndReason, type NodeLease } from '@rtms/contracts';
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
import { sourceBoundsOf } from '../../accounts/limits/account-limits.service.js';
import { AccountQuotasService, type QuotaUse } from '../../accounts/limits/account-quotas.service.js';
import { newID } from '../../platform/database/new-id.js';
import { whereLive } from '../../platform/rows/live-states.js';
import { makeMediaRow, placedOn } from '../resources/placement.js';
import type { Owner } from '../resources/owned-rows.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { RoomPlacesService } from '../../rooms/records/room-places.service.js';
import { isEncoderProtocol, type CreateExternalSessionDto } from './external-session.dto.js';

const changedByEnd = [
  'state',
  'endReason',
  'endedAt',
  'graceUntil',
  'tracks',
  'events',
] as const satisfies (keyof ExternalSession)[];

interface Attempts {
  requestID: string;
  /** The nodes that were asked. */
  refusedBy: Set<string>;
}

/** A session that moves to another node is not counted twice. */
function usesOf({ id, accountID, meetingID, protocol, webrtcRenditions }: ExternalSession): QuotaUse[] {
  const liveOf = (manager: EntityManager, where: FindOptionsWhere<ExternalSession>) =>
    manager
      .createQueryBuilder(ExternalSession, 'session')
      .where(where)
      .andWhere(whereLive('session'))
      .andWhere('session.id <> :id', { id });
  const countLive = (where: FindOptionsWhere<ExternalSession>) => (manager: EntityManager) =>
    liveOf(manager, where).getCount();
  const { usual, withRenditions } = encoderPlaces;
  const countPlaces = async (manager: EntityManager): Promise<number> => {
    const ofEncoders = liveOf(manager, { accountID, protocol: In(encoderProtocols) });
    const many = await ofEncoders.clone().andWhere({ webrtcRenditions: true }).getCount();
    return usual * ((await ofEncoders.getCount()) - many) + withRenditions * many;
  };
  const adding = webrtcRenditions ? withRenditions : usual;
  return [
    { limit: 'sessionsPerRoom', count: countLive({ meetingID }) },
    { limit: 'sessionsPerAccount', count: countLive({ accountID }) },
    ...(isEncoderProtocol(protocol) ? [{ limit: 'encoderPlaces' as const, count: countPlaces, adding }] : []),
  ];
}

/**
 * Opens external sessions on media nodes, and ends them together with their playbacks, broadcasts, restreams and
 * recordings. Callers send the returned commands after the commit.
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
    private readonly places: RoomPlacesService,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: ExternalSession, requestID: string): Promise<void> {
    const choose = await this.homes.chooserFor(row.meetingID);
    try {
      const refusedBy = new Set<string>();
      await tryNodes(choose, node => this.openOn(node, row, { requestID, refusedBy }));
    } catch (error) {
      await this.discard(row, requestID);
      throw error;
    }
  }

  /** Removes a session that could not be opened completely. */
  async discard(row: ExternalSession, requestID: string): Promise<void> {
    await this.dataSource.manager.delete(ExternalSession, row.id);
    void this.commands.tell(closeSession(row), requestID);
  }

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

  private async openOn(node: NodeLease, row: ExternalSession, { requestID, refusedBy }: Attempts): Promise<void> {
    const { nodeID, maxSource } = await this.store(row, node, refusedBy);
    refusedBy.add(nodeID);
    const request = { meetingID: row.meetingID, sessionID: row.id, tracks: row.requestedTracks, maxSource };
    await this.commands.ask(sfuCommands.openSession.forNode(nodeID), request, requestID);
  }

  /** Takes a place in the room unless the session has one already. Returns the room's node and the limits of the session's pictures. */
  private store(row: ExternalSession, node: NodeLease, refusedBy: ReadonlySet<string>) {
    return this.quotas.add(row.accountID, usesOf(row), async (manager, limits) => {
      await this.places.take(manager, row, row.id);
      const home = await this.homes.settle(manager, row.meetingID, node, refusedBy);
      Object.assign(row, placedOn(home, new Date(this.clock.now())));
      await manager.upsert(ExternalSession, row, ['id']);
      return { nodeID: home.nodeID, maxSource: sourceBoundsOf(limits) };
    });
  }
}

export function makeExternalSession(owner: Owner, dto: CreateExternalSessionDto, now: Date): ExternalSession {
  return Object.assign(new ExternalSession(), makeMediaRow(newID('ext'), owner, now), {
    participantID: newID('part'),
    displayName: dto.displayName,
    protocol: dto.ingest.protocol,
    requestedTracks: dto.ingest.tracks,
    webrtcRenditions: dto.ingest.webrtcRenditions ?? false,
    state: 'pending' as const,
    tracks: [],
    health: [],
    keyframeIntervalSeconds: null,
    events: [],
    reason: null,
  });
}
