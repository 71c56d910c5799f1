import { ServiceError } from '@rtms/contracts';
import type { FindOptionsWhere, Repository } from 'typeorm';
import type { RoomScope } from '../auth/room-scope.js';
import { listRows } from '../database/list-rows.js';
import { selectRows } from '../database/plain-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import type { Room } from '../rooms/room.entity.js';
import type { MediaResource } from './media-resource.entity.js';

/** A caller's scope, and the room that the request names. */
export interface Owner extends RoomScope {
  meetingID: string;
}

/** The environment of a row is that of its room. */
const ownedCondition = `WHERE id = $1 AND account_id = $2 AND meeting_id = $3
  AND EXISTS (SELECT 1 FROM rooms WHERE rooms.id = $3 AND rooms.key_type = ANY ($4))`;

/** NOT_FOUND for an unknown row and for one of another room or out of the scope alike; `what` is e.g. `external session`. */
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

/** Newest first. Takes the room as it was found for the caller, so that nobody lists a room out of the scope. */
export function listOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, id: meetingID }: Room,
  page: Page,
): Promise<Listed<Row>> {
  return listRows(rows, { accountID, meetingID } as FindOptionsWhere<Row>, page);
}
