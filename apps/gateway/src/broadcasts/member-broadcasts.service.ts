import { Injectable, Logger } from '@nestjs/common';
import { transcoderCommands } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { DataSource, IsNull, Not } from 'typeorm';
import { AdvisoryLocks } from '../database/advisory-locks.service.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { live } from '../media/live-states.js';
import { lockRow, updateRow } from '../media/locked-rows.js';
import { Participant } from '../participants/participant.entity.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import { BroadcastLifecycle } from './broadcast-lifecycle.service.js';
import { Broadcast } from './broadcast.entity.js';
import { decideMemberChange } from './member-source.js';

const ofMembers = { sourceParticipantID: Not(IsNull()), ...live };

/**
 * Has broadcasts of members follow them. What the database says of a member is compared with what the broadcast was
 * made of last, so that nothing is missed, whichever replica heard of it.
 */
@Injectable()
export class MemberBroadcasts {
  private readonly logger = new Logger(MemberBroadcasts.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly locks: AdvisoryLocks,
    private readonly homes: RoomHomes,
    private readonly lifecycle: BroadcastLifecycle,
    private readonly commands: WorkerCommands,
  ) {}

  async follow(): Promise<void> {
    if (!(await this.dataSource.manager.existsBy(Broadcast, ofMembers))) return;
    await this.locks.under('memberBroadcasts', async () => {
      const rows = await this.dataSource.manager.findBy(Broadcast, ofMembers);
      await Promise.all(rows.map(row => this.followOne(row)));
    });
  }

  private async followOne(row: Broadcast): Promise<void> {
    const { manager } = this.dataSource;
    const member = await manager.findOneBy(Participant, { id: row.sourceParticipantID ?? '' });
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

  /** Stored only once the transcoder has done it: until then it is tried again. */
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
