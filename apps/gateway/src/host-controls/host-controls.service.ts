import { Injectable } from '@nestjs/common';
import { ServiceError, type RosterEntry } from '@rtms/contracts';
import type { Participant } from '../participants/participant.entity.js';
import { isHost, mayControl } from '../room-life/permissions.js';
import { Presence } from '../room-life/presence.service.js';
import type { RoomChange } from '../room-life/room-change.js';

interface Target {
  participantID: string;
}

/** What hosts do with others. */
@Injectable()
export class HostControls {
  constructor(private readonly presence: Presence) {}

  async remove(change: RoomChange, actor: Participant, { participantID }: Target) {
    const row = await this.requireControlled(change, actor, participantID);
    if (row.id === actor.id) throw new ServiceError('invalid_request', 'Leave the room instead of removing yourself.');
    if (row.kind === 'externalSession')
      throw new ServiceError('not_permitted', 'An external session is ended by the application that created it.');
    await this.presence.leave(change, row, 'participant_removed');
    return {};
  }

  /** Admitting one who may take part already changes nothing. */
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

  /** The one whom a host wants to control; hosts may assign themselves too. */
  async requireControlled(change: RoomChange, actor: Participant, participantID: string): Promise<Participant> {
    if (!isHost(actor.role)) throw new ServiceError('not_permitted', 'Only hosts can do this.');
    const row = await change.require(participantID);
    if (row.id !== actor.id && !mayControl(actor.role, row.role))
      throw new ServiceError('not_permitted', 'Co-hosts cannot do this to hosts.');
    return row;
  }
}
