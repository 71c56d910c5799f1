import { Injectable, Logger } from '@nestjs/common';
import { transcoderCommands } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { DataSource, IsNull, Not } from 'typeorm';
import { atMost, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { live } from '../../platform/rows/live-states.js';
import { lockRow, updateRow } from '../resources/locked-rows.js';
import { ParticipantsService } from '../../rooms/records/participants.service.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import { BroadcastLifecycleService } from './broadcast-lifecycle.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { decideMemberChange } from '../sources/member-source.js';

const ofMembers = { sourceParticipantID: Not(IsNull()), ...live };

/**
 * Makes broadcasts follow the tracks of their members. It compares the member's row with the tracks that the broadcast had
 * last, so it misses no change that another replica received.
 */
@Injectable()
export class MemberBroadcastsService {
  private readonly logger = new Logger(MemberBroadcastsService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocksService,
    private readonly homes: RoomHomesService,
    private readonly participants: ParticipantsService,
    private readonly lifecycle: BroadcastLifecycleService,
    private readonly commands: WorkerCommandsService,
  ) {}

  async follow(): Promise<void> {
    if (!(await this.dataSource.manager.existsBy(Broadcast, ofMembers))) return;
    await this.locks.under('memberBroadcasts', async () => {
      const rows = await this.dataSource.manager.findBy(Broadcast, ofMembers);
      await atMost(repairsAtOnce, rows, row => this.followOne(row));
    });
  }

  private async followOne(row: Broadcast): Promise<void> {
    const member = await this.participants.findJoined(row.sourceParticipantID ?? '');
    const change = decideMemberChange(row, member);
    switch (change.do) {
      case 'nothing':
        return;
      case 'end':
        return this.commands.tell(
          await this.dataSource.transaction(each => this.lifecycle.endAll(each, { id: row.id }, 'source_ended')),
        );
      case 'interrupt':
        return this.interrupt(row);
      case 'follow':
        return this.resume(row, change.tracks);
      default:
        return change satisfies never;
    }
  }

  private async interrupt({ id }: Broadcast): Promise<void> {
    const commands = await this.dataSource.transaction(manager => this.lifecycle.interruptMember(manager, id));
    await this.commands.tell(commands);
  }

  /** Stores the tracks only after the transcoder has switched. Until then the next run retries. */
  private async resume(row: Broadcast, sourceTracks: string[]): Promise<void> {
    const home = await this.homes.find(row.meetingID);
    if (!home || row.nodeID === null) return;
    try {
      const address = transcoderCommands.resumeBroadcast.forNode(row.nodeID);
      await this.commands.ask(address, { broadcastID: row.id, sfuNodeID: home.nodeID });
    } catch (error) {
      const { reason, message } = toServiceError(error);
      this.logger.warn({ broadcastID: row.id, reason, message }, 'a broadcast cannot follow its member yet');
      return;
    }
    await this.dataSource.transaction(async manager => {
      const now = await lockRow(manager, Broadcast, row.id);
      if (now?.endedAt === null) await updateRow(manager, Broadcast, now, { sourceTracks });
    });
  }
}
