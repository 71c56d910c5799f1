import { Injectable } from '@nestjs/common';
import { ServiceError, type RosterEntry } from '@rtms/contracts';
import type { Participant } from '../records/participant.entity.js';
import { isHost, mayControl } from '../life/permissions.js';
import { PresenceService } from '../life/presence.service.js';
import type { RoomChange } from '../life/room-change.js';

interface Target {
  participantID: string;
}

/** The commands of hosts about other participants. */
@Injectable()
export class HostControlsService {
  constructor(private readonly presence: PresenceService) {}

  async remove(change: RoomChange, actor: Participant, { participantID }: Target) {
    const row = await this.requireControlled(change, actor, participantID);
    if (row.id === actor.id) throw new ServiceError('invalid_request', 'Leave the room instead of removing yourself.');
    if (row.kind === 'externalSession')
      throw new ServiceError('not_permitted', 'Only the application that created the external session can end it.');
    await this.presence.leave(change, row, 'participant_removed');
    return {};
  }

  /** Idempotent: only a viewer changes. */
  async admit(change: RoomChange, actor: Participant, { participantID }: Target) {
    const row = await this.requireControlled(change, actor, participantID);
    if (row.role === 'viewer')
      await change.update(row, { role: 'participant', requests: row.requests.filter(each => each !== 'raiseHand') });
    return {};
  }

  async assignBreakout(change: RoomChange, actor: Participant, assignment: Target & { breakout: string | null }) {
    const row = await this.requireControlled(change, actor, assignment.participantID);
    if (row.breakout !== assignment.breakout) await change.update(row, { breakout: assignment.breakout });
    return {};
  }

  async assignWhiteboard(
    change: RoomChange,
    actor: Participant,
    { participantID, whiteboard }: Target & { whiteboard: RosterEntry['whiteboard'] },
  ) {
    const row = await this.requireControlled(change, actor, participantID);
    if (row.whiteboard !== whiteboard) await change.update(row, { whiteboard });
    return {};
  }

  /** Returns the participant whom a host controls. Hosts may control themselves. */
  async requireControlled(change: RoomChange, actor: Participant, participantID: string): Promise<Participant> {
    if (!isHost(actor.role)) throw new ServiceError('not_permitted', 'Only hosts can do this.');
    const row = await change.require(participantID);
    if (row.id !== actor.id && !mayControl(actor.role, row.role))
      throw new ServiceError('not_permitted', 'Co-hosts cannot do this to hosts.');
    return row;
  }
}
