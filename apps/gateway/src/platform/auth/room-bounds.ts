import { ServiceError, type Operation, type ParticipantRole } from '@rtms/contracts';
import type { Request } from 'express';

/** The bounds of a disposable key inside rooms. */
export interface RoomBounds {
  /** The only rooms that the key reaches; null: all rooms of its account and environment. */
  meetingIDs: readonly string[] | null;
  /** The highest role that the key can give; null: any role. */
  maxRole: ParticipantRole | null;
}

/** From the lowest to the highest. */
const rolesByRank: readonly ParticipantRole[] = ['viewer', 'participant', 'cohost', 'host'];

function isAbove(role: ParticipantRole, maxRole: ParticipantRole | null): boolean {
  return maxRole !== null && rolesByRank.indexOf(role) > rolesByRank.indexOf(maxRole);
}

/** Returns the reason why a key with the wanted bounds would reach further than its creator; undefined if it would not. */
export function beyondBounds(wanted: RoomBounds, held: RoomBounds): string | undefined {
  const { meetingIDs } = held;
  if (meetingIDs && !wanted.meetingIDs?.every(each => meetingIDs.includes(each))) {
    return 'A key that is bound to rooms cannot leave these rooms.';
  }
  if (held.maxRole !== null && (wanted.maxRole === null || isAbove(wanted.maxRole, held.maxRole))) {
    return `A key cannot let anybody join above its own maxRole, ${held.maxRole}.`;
  }
  return undefined;
}

/** Each request of these operations names its room, so that `requireBoundRoom` can check it. */
const operationsInRooms: readonly Operation[] = [
  'joinRoom',
  'readRooms',
  'manageRooms',
  'ingestMedia',
  'playMedia',
  'broadcastMedia',
];

/** Throws BAD_REQUEST if a key that is bound to rooms would have operations beyond rooms. */
export function requireOperationsInRooms({ meetingIDs }: RoomBounds, operations: readonly Operation[]): void {
  if (meetingIDs === null || operations.every(each => operationsInRooms.includes(each))) return;
  const message = `A key with meetingIDs can have only these operations: ${operationsInRooms.join(', ')}.`;
  throw new ServiceError('invalid_request', message);
}

/** Throws FORBIDDEN, `operation_not_granted`, if a key that is bound to rooms sends a request without one of them. */
export function requireBoundRoom({ meetingIDs }: RoomBounds, request: Request): void {
  if (meetingIDs === null) return;
  const fields = request.method === 'POST' ? (request.body as { meetingID?: unknown } | undefined) : request.query;
  const sent = request.params['meetingID'] ?? fields?.meetingID;
  if (typeof sent === 'string' && meetingIDs.includes(sent)) return;
  const message = 'This key is bound to rooms. Name one of its rooms as meetingID.';
  throw new ServiceError('operation_not_granted', message);
}

/** Throws FORBIDDEN, `role_not_allowed`, if the role is above the key's highest role. */
export function requireRoleWithin({ maxRole }: RoomBounds, role: ParticipantRole): void {
  if (!isAbove(role, maxRole)) return;
  throw new ServiceError(
    'role_not_allowed',
    `This key is bound to the role ${maxRole}, and the request needs the role ${role}. Use a key with a higher maxRole, or ask for less.`,
  );
}
