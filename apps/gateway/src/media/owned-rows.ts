import { ServiceError } from '@rtms/contracts';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { listRows } from '../database/list-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import type { MediaResource } from './media-resource.entity.js';

/** Whose rows of which room. */
export interface Owner {
  accountID: string;
  meetingID: string;
}

/** NOT_FOUND for an unknown row and for one of another account or room alike; `what` is e.g. `external session`. */
export async function findOwned<Row extends MediaResource>(
  rows: Repository<Row>,
  { accountID, meetingID }: Owner,
  id: string,
  what: string,
): Promise<Row> {
  const row = await rows.findOneBy({ id, accountID, meetingID } as FindOptionsWhere<Row>);
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
