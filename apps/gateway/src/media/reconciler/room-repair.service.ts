import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease, type SourceBounds } from '@rtms/contracts';
import { DataSource, In } from 'typeorm';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { atMost, groupInTurns, inTurns, portionsOf, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { Pace } from '../../platform/jobs/pace.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { closeRoom, type WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { interrupted } from '../external-sessions/decide-session-fact.js';
import type { NodeSpread } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { unwatched } from '../playbacks/decide-playback-fact.js';
import { PlaybackLifecycleService } from '../playbacks/playback-lifecycle.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { lockAllUnchanged } from '../resources/locked-rows.js';
import { RoomMediaPlace } from '../resources/media-resource.entity.js';
import { placedOn } from '../resources/placement.js';
import { Playback } from '../resources/playback.entity.js';
import { SourcesService } from '../sources/sources.service.js';
import { RestreamLifecycleService } from '../restreams/restream-lifecycle.service.js';
import { findLeaving, placeOf, type ReturnedRoom } from './find-moving-rooms.js';
import type { SeenPlayback, SeenSession, Snapshot } from './snapshot.js';

/**
 * Rooms, and playbacks, in one transaction, so that requests wait only briefly for its locks. A room has one or two
 * sessions.
 */
const roomsAtOnce = 25;
const playbacksAtOnce = 50;

const placementColumns = ['nodeID', 'nodeEpoch', 'placedAt', 'factSequence'] as const;

/** Moves sessions and playbacks between media nodes: away from lost and draining nodes, and back to nodes that were cut off. */
@Injectable()
export class RoomRepairService {
  private readonly logger = new Logger(RoomRepairService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly homes: RoomHomesService,
    private readonly sources: SourcesService,
    private readonly playbacks: PlaybackLifecycleService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly restreams: RestreamLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly nodes: NodeRegistry,
    private readonly usage: UsageLedgerRepository,
    private readonly limits: AccountLimitsService,
    private readonly pace: Pace,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Moves sessions without a node to a living node, all of a room to the same one. Their publishers can reconnect there. */
  async reopenSessions(sessions: readonly SeenSession[]): Promise<void> {
    const rooms = await groupInTurns(sessions, row => row.meetingID);
    const spread = this.homes.spread();
    await this.pace.through(portionsOf(rooms.values(), roomsAtOnce), rows => this.reopenRooms(rows.flat(), spread));
  }

  /** Opens playbacks without a node on the nodes of their sources. */
  async reopenPlaybacks(playbacks: readonly SeenPlayback[]): Promise<void> {
    await this.pace.through(portionsOf(playbacks, playbacksAtOnce), async seen => {
      const moved = await this.movePlaybacks(seen);
      const opened = await this.playbacks.reopenAll(moved);
      const { manager } = this.dataSource;
      await updateRows(manager.getRepository(Playback), opened, ['payloadProfile']);
      const isOpen = new Set(opened);
      const failed = moved.filter(row => !isOpen.has(row)).map(({ id }) => id);
      if (failed.length > 0) await manager.update(Playback, { id: In(failed) }, { nodeEpoch: null });
    });
  }

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
    await this.reopenSessions(await rowsAt(places, snapshot.sessions.values()));
    await this.reopenPlaybacks(await rowsAt(places, snapshot.playbacks.values()));
  }

  /**
   * Gives rooms back to nodes that were cut off from the bus for longer than a lease lasts. Their media never stopped, so
   * no client has to reconnect.
   */
  async giveBack(rooms: readonly ReturnedRoom[]): Promise<void> {
    await atMost(repairsAtOnce, rooms, async room => {
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
      await this.playbacks.reopenAll(moved.playbacks);
    });
  }

  private async reopenRooms(seen: readonly SeenSession[], spread: NodeSpread): Promise<void> {
    const meetingIDs = [...new Set(seen.map(({ meetingID }) => meetingID))];
    const nodes = await this.homes.chooseForAll(meetingIDs, spread);
    const movable = seen.filter(({ meetingID, nodeEpoch }) => nodes.has(meetingID) || nodeEpoch !== null);
    if (movable.length === 0) return;
    const { rows, notes } = await this.moveSessions(movable, nodes);
    const formerNodes = new Map(movable.map(({ id, nodeID }) => [id, nodeID]));
    const bounds = await this.limits.readAllSourceBounds(rows.map(({ accountID }) => accountID));
    const opens: WorkerCommand[] = [];
    for (const row of rows) {
      const node = nodes.get(row.meetingID);
      const moved = { sessionID: row.id, from: formerNodes.get(row.id), to: node?.nodeID };
      this.logger.warn(moved, 'a session lost its node');
      if (node) opens.push(openSession(row, node, bounds.get(row.accountID)));
    }
    await this.commands.tell(opens);
    // The next rooms do not wait for transcoders that were lost with the node.
    void this.commands.tell(notes);
  }

  /**
   * Returns the moved rows: those unchanged since they were read. Their transcoders keep the feeds: media workers of a frozen node
   * still send, and a transcoder notices by itself when they do not. `notes`: commands that name the reason of a silence.
   */
  private moveSessions(
    seen: readonly SeenSession[],
    nodes: ReadonlyMap<string, NodeLease>,
  ): Promise<{ rows: ExternalSession[]; notes: WorkerCommand[] }> {
    return this.dataSource.transaction(async manager => {
      const rows = await lockAllUnchanged(manager, ExternalSession, seen);
      const active = rows.filter(({ state }) => state === 'active');
      const now = new Date(this.clock.now());
      const ends = active.map(row => ({ resourceID: row.id, at: this.lastHeard(row) }));
      await this.usage.finishAll(manager, ends);
      const timing = { at: now, now, graceMs: this.settings.graceMs };
      for (const row of active) Object.assign(row, interrupted(row, 'node_lost', timing));
      for (const row of rows) {
        const node = nodes.get(row.meetingID);
        Object.assign(row, node ? placedOn(node, now) : { nodeEpoch: null });
      }
      const changed = ['state', 'graceUntil', 'events', ...placementColumns] as const;
      await updateRows(manager.getRepository(ExternalSession), rows, changed);
      const ids = active.map(({ id }) => id);
      const notes = await this.broadcasts.interruptLost(manager, ids);
      await this.restreams.interruptAll(manager, ids);
      return { rows, notes };
    });
  }

  /** Returns the moved rows: unchanged since they were read, and with a node for their source. */
  private movePlaybacks(seen: readonly SeenPlayback[]): Promise<Playback[]> {
    return this.dataSource.transaction(async manager => {
      const rows = await lockAllUnchanged(manager, Playback, seen);
      const sources = await this.sources.findSessions(manager, [...new Set(rows.map(row => row.sourceSessionID))]);
      const now = new Date(this.clock.now());
      const moved: Playback[] = [];
      for (const row of rows) {
        const source = sources.get(row.sourceSessionID);
        if (row.state === 'active') Object.assign(row, unwatched({ now, graceMs: this.settings.graceMs }));
        if (source) moved.push(row);
        const place = source && placedOn({ nodeID: source.nodeID, epoch: source.nodeEpoch }, now);
        Object.assign(row, place ?? { nodeEpoch: null });
      }
      const changed = ['state', 'viewerCount', 'graceUntil', ...placementColumns] as const;
      await updateRows(manager.getRepository(Playback), rows, changed);
      return moved;
    });
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
      await updateRows(manager.getRepository(ExternalSession), sessions, placementColumns);
      await updateRows(manager.getRepository(Playback), playbacks, placementColumns);
      return { sessions, playbacks };
    });
  }

  /** The last known time at which the session ran. */
  private lastHeard({ nodeID, nodeEpoch }: ExternalSession): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('sfu', nodeID, nodeEpoch);
  }
}

/** A node that already has the session reports it again. */
function openSession(
  { id, meetingID, requestedTracks }: ExternalSession,
  { nodeID }: Pick<NodeLease, 'nodeID'>,
  maxSource: SourceBounds | undefined,
): WorkerCommand {
  const request = { meetingID, sessionID: id, tracks: requestedTracks, ...(maxSource && { maxSource }) };
  return { address: { subject: sfuCommands.openSession.forNode(nodeID).subject }, request };
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
