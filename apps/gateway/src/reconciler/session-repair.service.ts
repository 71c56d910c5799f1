import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease, type SourceBounds } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { groupInTurns, portionsOf } from '../background/in-turns.js';
import { Pace } from '../background/pace.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { updateRows } from '../database/plain-rows.js';
import { interrupted } from '../external-sessions/decide-session-fact.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { placedOn } from '../media/make-media-row.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import type { NodeSpread } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { lockAllUnchanged } from './lock-unchanged.js';
import type { SeenSession } from './snapshot.js';

/** So many rooms, of a session or two, are moved in one transaction: requests wait for no more than these. */
const roomsAtOnce = 25;

const changedColumns = ['state', 'graceUntil', 'nodeID', 'nodeEpoch', 'placedAt', 'factSequence'] as const;

/** Brings sessions that no worker has to a living one, where their publishers may come back. */
@Injectable()
export class SessionRepair {
  private readonly logger = new Logger(SessionRepair.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly homes: RoomHomes,
    private readonly broadcasts: BroadcastLifecycle,
    private readonly commands: WorkerCommands,
    private readonly nodes: NodeRegistry,
    private readonly usage: UsageLedger,
    private readonly limits: AccountLimitsService,
    private readonly pace: Pace,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** All sessions of a room go to the same node. */
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
        'a session lost its worker',
      );
      if (node) opens.push(openSession(row, node, bounds.get(row.accountID)));
    }
    await this.commands.tell(interrupts);
    await this.commands.tell(opens);
  }

  /** Answers those to which nothing else has happened since they were read. */
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

  /** Until when it ran, as far as anybody knows. */
  private lastHeard({ nodeID, nodeEpoch }: ExternalSession): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('sfu', nodeID, nodeEpoch);
  }
}

/** A node that has the session already reports it again. */
export function openSession(
  { id, meetingID, requestedTracks }: ExternalSession,
  { nodeID }: Pick<NodeLease, 'nodeID'>,
  maxSource: SourceBounds | undefined,
): WorkerCommand {
  const request = { meetingID, sessionID: id, tracks: requestedTracks, ...(maxSource && { maxSource }) };
  return { address: { subject: sfuCommands.openSession.forNode(nodeID).subject }, request };
}
