import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { atMost, groupInTurns, repairsAtOnce } from '../background/in-turns.js';
import { BroadcastLifecycle } from '../broadcasts/broadcast-lifecycle.service.js';
import { interrupted } from '../external-sessions/decide-session-fact.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { updateRow } from '../media/locked-rows.js';
import { placedOn } from '../media/make-media-row.js';
import { UsageLedger } from '../metering/usage-ledger.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { CLOCK } from '../runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import { lockUnchanged } from './lock-unchanged.js';
import type { SeenSession } from './snapshot.js';

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
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Room by room, because all sessions of a room go to the same node. */
  async reopen(sessions: readonly SeenSession[]): Promise<void> {
    const rooms = await groupInTurns(sessions, row => row.meetingID);
    await atMost(repairsAtOnce, rooms.values(), async rows => {
      for (const row of rows) await this.reopenOne(row);
    });
  }

  private async reopenOne(seen: SeenSession): Promise<void> {
    const node = await this.chooseNode(seen.meetingID);
    if (!node && seen.nodeEpoch === null) return;
    const moved = await this.move(seen, node);
    if (!moved) return;
    this.logger.warn({ sessionID: seen.id, from: seen.nodeID, to: node?.nodeID }, 'a session lost its worker');
    await this.commands.tell(moved.interrupts);
    if (node) await this.commands.tell([openSession(moved.row, node)]);
  }

  private async chooseNode(meetingID: string): Promise<NodeLease | undefined> {
    const choose = await this.homes.chooserFor(meetingID);
    try {
      return choose(new Set());
    } catch {
      return undefined;
    }
  }

  /** undefined: something else has happened to the session since it was read. */
  private move(
    seen: SeenSession,
    node: NodeLease | undefined,
  ): Promise<{ row: ExternalSession; interrupts: WorkerCommand[] } | undefined> {
    return this.dataSource.transaction(async manager => {
      const row = await lockUnchanged(manager, ExternalSession, seen);
      if (!row) return undefined;
      const wasActive = row.state === 'active';
      const now = new Date(this.clock.now());
      if (wasActive) await this.usage.finish(manager, row.id, this.lastHeard(row));
      await updateRow(manager, ExternalSession, row, {
        ...(wasActive && interrupted({ now, graceMs: this.settings.graceMs })),
        ...(node ? placedOn(node, now) : { nodeEpoch: null }),
      });
      return { row, interrupts: wasActive ? await this.broadcasts.interruptAll(manager, row.id) : [] };
    });
  }

  /** Until when it ran, as far as anybody knows. */
  private lastHeard({ nodeID, nodeEpoch }: ExternalSession): Date | undefined {
    return nodeID === null || nodeEpoch === null ? undefined : this.nodes.heardAt('sfu', nodeID, nodeEpoch);
  }
}

function openSession({ id, meetingID, requestedTracks }: ExternalSession, { nodeID }: NodeLease): WorkerCommand {
  const request = { meetingID, sessionID: id, tracks: requestedTracks };
  return { address: { subject: sfuCommands.openSession.forNode(nodeID).subject }, request };
}
