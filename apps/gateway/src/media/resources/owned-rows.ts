import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
import type { FindOptionsWhere, Repository } from 'typeorm';
import type { RoomScope } from '../../platform/auth/room-scope.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import type { Room } from '../../rooms/room/rooms.service.js';
import type { MediaResource } from './media-resource.entity.js';

/** A caller's scope and the room in the request's path. */
export interface Owner extends RoomScope {
  meetingID: string;
}

/** `@CurrentOwner() owner: Owner`: the caller's scope and the room in the path. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext) => ownerOf(context));

export function ownerOf(context: ExecutionContext): Owner {
  const { caller, params } = context.switchToHttp().getRequest<Request>();
  const { meetingID } = params;
  if (!caller || typeof meetingID !== 'string') throw new ServiceError('not_found', 'There is no such room.');
  const { accountID, environments } = caller;
  return { accountID, environments, meetingID };
}

/** A row belongs to the environment of its room. */
const ownedCondition = `WHERE id = $1 AND account_id = $2 AND meeting_id = $3
  AND EXISTS (SELECT 1 FROM rooms WHERE rooms.id = $3 AND rooms.key_type = ANY ($4))`;

/** Throws NOT_FOUND, alike for an unknown row and for a row outside the scope. `what` is e.g. `external session`. */
export async function findOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, environments, meetingID }: Owner,
  id: string,
  what: string,
): Promise<Row> {
  const [row] = await selectRows(rows, ownedCondition, [id, accountID, meetingID, environments]);
  if (!row) throw new ServiceError('not_found', `There is no such ${what} in this room.`);
  return row;
}

/** Newest first. Takes a room that was found in the caller's scope, so nobody lists a room of another account. */
export function listOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, id: meetingID }: Room,
  page: Page,
  filter: FindOptionsWhere<Row> = {},
): Promise<Listed<Row>> {
  return listRows(rows, { accountID, meetingID, ...filter }, page);
}
