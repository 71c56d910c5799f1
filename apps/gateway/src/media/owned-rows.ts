import { ServiceError } from '@rtms/contracts';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { listRows } from '../database/list-rows.js';
import { selectRows } from '../database/plain-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import type { MediaResource } from './media-resource.entity.js';

/** Whose rows of which room. */
export interface Owner {
  accountID: string;
  meetingID: string;
}

const ownedCondition = 'WHERE id = $1 AND account_id = $2 AND meeting_id = $3';

/** NOT_FOUND for an unknown row and for one of another account or room alike; `what` is e.g. `external session`. */
export async function findOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, meetingID }: Owner,
  id: string,
  what: string,
): Promise<Row> {
  const [row] = await selectRows(rows, ownedCondition, [id, accountID, meetingID]);
  if (!row) throw new ServiceError('not_found', `There is no such ${what} in this room.`);
  return row;
}

/** Newest first. */
export function listOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, meetingID }: Owner,
  page: Page,
): Promise<Listed<Row>> {
  return listRows(rows, { accountID, meetingID } as FindOptionsWhere<Row>, page);
}
