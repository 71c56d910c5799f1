import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type NodeLease } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { AccountQuotasService, type QuotaUse } from '../../accounts/limits/account-quotas.service.js';
import { newID } from '../../platform/database/new-id.js';
import { closeSession } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { whereLive } from '../../platform/rows/live-states.js';
import { makeMediaRow, placedOn } from '../resources/placement.js';
import type { Owner } from '../resources/owned-rows.js';
import { tryNodes } from '../nodes/try-nodes.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { RoomPlacesService } from '../../rooms/records/room-places.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { CreateExternalSessionDto } from './external-session.dto.js';
import { ExternalSession } from '../resources/external-session.entity.js';

interface Attempts {
  requestID: string;
  /** The nodes that were asked. */
  refusedBy: Set<string>;
}

/** A session that moves to another node is not counted twice. */
function usesOf({ id, accountID, meetingID }: ExternalSession): QuotaUse[] {
  const countLive = (where: Partial<ExternalSession>) => (manager: EntityManager) =>
    manager
      .createQueryBuilder(ExternalSession, 'session')
      .where(where)
      .andWhere(whereLive('session'))
      .andWhere('session.id <> :id', { id })
      .getCount();
  return [
    { limit: 'sessionsPerRoom', count: countLive({ meetingID }) },
    { limit: 'sessionsPerAccount', count: countLive({ accountID }) },
  ];
}

/** Opens new external sessions on media nodes. */
@Injectable()
export class SessionOpeningService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly homes: RoomHomesService,
    private readonly commands: WorkerCommandsService,
    private readonly places: RoomPlacesService,
    private readonly limits: AccountLimitsService,
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

  /** Takes a place in the room unless the session has one already. Returns the room's node. */
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
