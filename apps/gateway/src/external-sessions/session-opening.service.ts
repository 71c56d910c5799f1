import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { AccountQuotas, type QuotaUse } from '../account-limits/account-quotas.service.js';
import { newID } from '../ids/new-id.js';
import { closeSession } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { whereLive } from '../media/live-states.js';
import { makeMediaRow, placedOn } from '../media/make-media-row.js';
import type { Owner } from '../media/owned-rows.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { RoomPlaces } from '../rooms/room-places.service.js';
import { CLOCK } from '../runtime.module.js';
import type { CreateExternalSessionDto } from './dto/create-external-session.dto.js';
import { ExternalSession } from './external-session.entity.js';

interface Attempts {
  requestID: string;
  /** Nodes that were asked. */
  refusedBy: Set<string>;
}

const live = `SELECT count(*)::int AS used FROM external_sessions WHERE ${whereLive()} AND id <> $2`;

/** A session that goes on to a further node is not counted twice. */
function usesOf({ id, accountID, meetingID }: ExternalSession): QuotaUse[] {
  return [
    { limit: 'sessionsPerRoom', statement: `${live} AND meeting_id = $1`, parameters: [meetingID, id] },
    { limit: 'sessionsPerAccount', statement: `${live} AND account_id = $1`, parameters: [accountID, id] },
  ];
}

/** Opens new external sessions on a media node. */
@Injectable()
export class SessionOpening {
  constructor(
    private readonly dataSource: DataSource,
    private readonly homes: RoomHomes,
    private readonly commands: WorkerCommands,
    private readonly places: RoomPlaces,
    private readonly limits: AccountLimitsService,
    private readonly quotas: AccountQuotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The row is stored before the node hears of it, so that no fact comes too early; on failure nothing is left. */
  async open(row: ExternalSession, requestID: string): Promise<void> {
    const choose = await this.homes.chooserFor(row.meetingID);
    try {
      const refusedBy = new Set<string>();
      await tryNodes(choose, node => this.openOn(node, row, { requestID, refusedBy }));
    } catch (error) {
      await this.dataSource.manager.delete(ExternalSession, row.id);
      void this.commands.tell(closeSession(row), requestID);
      throw error;
    }
  }

  private async openOn(node: NodeLease, row: ExternalSession, { requestID, refusedBy }: Attempts): Promise<void> {
    const { nodeID } = await this.store(row, node, refusedBy);
    refusedBy.add(nodeID);
    const maxSource = await this.limits.readSourceBounds(row.accountID);
    const request = { meetingID: row.meetingID, sessionID: row.id, tracks: row.requestedTracks, maxSource };
    await this.commands.ask(sfuCommands.openSession.forNode(nodeID), request, requestID);
  }

  /** Takes a place in the room, which one that goes on to a further node has already. Answers the room's node. */
  private store(row: ExternalSession, node: NodeLease, refusedBy: ReadonlySet<string>): Promise<NodeLease> {
    return this.quotas.add(row.accountID, usesOf(row), async manager => {
      await this.places.take(manager, row, row.id);
      const home = await this.homes.settle(manager, row.meetingID, node, refusedBy);
      Object.assign(row, placedOn(home, new Date(this.clock.now())));
      await manager.upsert(ExternalSession, row, ['id']);
      return home;
    });
  }
}

export function makeExternalSession(owner: Owner, dto: CreateExternalSessionDto, now: Date): ExternalSession {
  return Object.assign(new ExternalSession(), makeMediaRow(newID('ext'), owner, now), {
    participantID: newID('part'),
    displayName: dto.displayName,
    protocol: dto.ingest.protocol,
    requestedTracks: dto.ingest.tracks,
    state: 'pending' as const,
    tracks: [],
    health: [],
    keyframeIntervalSeconds: null,
    reason: null,
  });
}
