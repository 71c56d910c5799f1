import { Injectable } from '@nestjs/common';
import { ServiceError, type ParticipantRequest, type RequestStatus } from '@rtms/contracts';
import type { Participant } from '../records/participant.entity.js';
import { isHost, permissionFor } from '../life/permissions.js';
import type { RoomChange } from '../life/room-change.js';

interface RequestDecision {
  participantID: string;
  request: ParticipantRequest;
  accept: boolean;
}

/** Requests of participants to hosts. */
@Injectable()
export class ParticipantRequestsService {
  async ask(
    change: RoomChange,
    actor: Participant,
    { request, active = true }: { request: ParticipantRequest; active?: boolean | undefined },
  ): Promise<{ status: RequestStatus }> {
    const status = active ? statusOf(change, actor, request) : 'accepted';
    const isOpen = active && (status === 'pending' || request === 'raiseHand');
    await this.setOpen(change, actor, request, isOpen && status !== 'rejected');
    return { status };
  }

  /** Accepting and refusing both lower a raised hand. */
  async decide(change: RoomChange, actor: Participant, { participantID, request, accept }: RequestDecision) {
    if (!isHost(actor.role)) throw new ServiceError('not_permitted', 'Only hosts can answer requests.');
    const row = await change.require(participantID);
    if (!row.requests.includes(request)) throw new ServiceError('not_found', 'This participant has no such request.');
    const isGrant = accept && request !== 'raiseHand';
    await change.update(row, {
      requests: row.requests.filter(each => each !== request),
      ...(isGrant && { granted: [...new Set([...row.granted, request])] }),
    });
    return {};
  }

  private async setOpen(change: RoomChange, row: Participant, request: ParticipantRequest, isOpen: boolean) {
    if (row.requests.includes(request) === isOpen) return;
    const others = row.requests.filter(each => each !== request);
    await change.update(row, { requests: isOpen ? [...others, request] : others });
  }
}

function statusOf({ room }: RoomChange, { role, granted }: Participant, request: ParticipantRequest): RequestStatus {
  if (request === 'raiseHand' || granted.includes(request)) return 'accepted';
  const permission = permissionFor(room.settings, role, request);
  switch (permission) {
    case 'allow':
      return 'accepted';
    case 'approval':
      return 'pending';
    case 'disallow':
      return 'rejected';
    default:
      return permission satisfies never;
  }
}
