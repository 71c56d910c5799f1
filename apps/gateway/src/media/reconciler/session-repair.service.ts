import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease, type SourceBounds } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { groupInTurns, portionsOf } from '../../platform/jobs/in-turns.js';
import { Pace } from '../../platform/jobs/pace.js';
import { BroadcastLifecycleService } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../../platform/rows/plain-rows.js';
import { interrupted } from '../external-sessions/decide-session-fact.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { placedOn } from '../resources/placement.js';
import { UsageLedgerRepository } from '../../accounts/balance/usage-ledger.repository.js';
import type { NodeSpread } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { lockAllUnchanged } from '../resources/locked-rows.js';
import type { SeenSession } from './snapshot.js';

/** Rooms in one transaction, so that requests wait only briefly for its locks. A room has one or two sessions. */
const roomsAtOnce = 25;

const changedColumns = ['state', 'graceUntil', 'nodeID', 'nodeEpoch', 'placedAt', 'factSequence'] as const;

/** Moves sessions without a node to a living node, to which their publishers can reconnect. */
@Injectable()
export class SessionRepairService {
  private readonly logger = new Logger(SessionRepairService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly homes: RoomHomesService,
    private readonly broadcasts: BroadcastLifecycleService,
    private readonly commands: WorkerCommandsService,
    private readonly nodes: NodeRegistry,
    private readonly usage: UsageLedgerRepository,
    private readonly limits: AccountLimitsService,
    private readonly pace: Pace,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Moves all sessions of a room to the same node. */
  async reopen(sessions: readonly SeenSession[]): Promise<void> {
    const rooms = await groupInTurns(sessions, row => row.meetingID);
    const spread = this.homes.spread();
    await this.pace.through(portionsOf(rooms.values(), roomsAtOnce), rows => this.reopenAll(rows.flat(), spread));
  }

  private async reopenAll(seen: readonly SeenSession[], spread: NodeSpread): Promise<void> {
    const meetingIDs = [...new Set(seen.map(({ meetingID }) => meetingID))];
    const nodes = await this.homes.chooseForAll(meetingIDs, spread);
    const movable = seen.filter(({ meetingID, nodeEpoch }) => nodes.has(meetingID) || nodeEpoch !== null);
    if (movable.length === 0) return;
    const { rows, interrupts } = await this.move(movable, nodes);
    const formerNodes = new Map(movable.map(({ id, nodeID }) => [id, nodeID]));
    const bounds = await this.limits.readAllSourceBounds(rows.map(({ accountID }) => accountID));
    const opens: WorkerCommand[] = [];
    for (const row of rows) {
      const node = nodes.get(row.meetingID);
      this.logger.warn(
        { sessionID: row.id, from: formerNodes.get(row.id), to: node?.nodeID },
        'a session lost its node',
      );
      if (node) opens.push(openSession(row, node, bounds.get(row.accountID)));
    }
    await this.commands.tell(interrupts);
    await this.commands.tell(opens);
  }

  /** Returns the moved rows: those unchanged since they were read. */
  private move(
    seen: readonly SeenSession[],
    nodes: ReadonlyMap<string, NodeLease>,
  ): Promise<{ rows: ExternalSession[]; interrupts: WorkerCommand[] }> {
    return this.dataSource.transaction(async manager => {
      const rows = await lockAllUnchanged(manager, ExternalSession, seen);
      const active = rows.filter(({ state }) => state === 'active');
      const now = new Date(this.clock.now());
      const ends = active.map(row => ({ resourceID: row.id, at: this.lastHeard(row) }));
      await this.usage.finishAll(manager, ends);
      for (const row of active) Object.assign(row, interrupted({ now, graceMs: this.settings.graceMs }));
      for (const row of rows) {
        const node = nodes.get(row.meetingID);
        Object.assign(row, node ? placedOn(node, now) : { nodeEpoch: null });
      }
      await updateRows(manager.getRepository(ExternalSession), rows, changedColumns);
      const ids = active.map(({ id }) => id);
      return { rows, interrupts: await this.broadcasts.interruptAll(manager, ids) };
    });
  }

  /** The last known time at which the session ran. */
  private lastHeard({ nodeID, nodeEpoch }: ExternalSession): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('sfu', nodeID, nodeEpoch);
  }
}

/** A node that already has the session reports it again. */
export function openSession(
  { id, meetingID, requestedTracks }: ExternalSession,
  { nodeID }: Pick<NodeLease, 'nodeID'>,
  maxSource: SourceBounds | undefined,
): WorkerCommand {
  const request = { meetingID, sessionID: id, tracks: requestedTracks, ...(maxSource && { maxSource }) };
  return { address: { subject: sfuCommands.openSession.forNode(nodeID).subject }, request };
}
