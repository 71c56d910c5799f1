import { ServiceError } from '@rtms/contracts';
import type { EntityManager, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';

interface OwnedRow extends ObjectLiteral {
  id: string;
  accountID: string;
}

/** Whose row it is, and which. */
export interface RowName {
  accountID: string;
  id: string;
}

/** NOT_FOUND for an unknown row and for one of another account alike; `what` is e.g. `agent`. */
export async function findOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  { accountID, id }: RowName,
  what: string,
): Promise<Row> {
  const row = await rows.findOneBy({ id, accountID } as FindOptionsWhere<Row>);
  return row ?? missing(what);
}

/** As `findOwn`; until the transaction ends nobody else changes or deletes the row. */
export async function lockOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  { accountID, id }: RowName,
  what: string,
): Promise<Row> {
  const where = { id, accountID } as FindOptionsWhere<Row>;
  return (await rows.findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? missing(what);
}

type ChangeRow<Row> = (row: Row, manager: EntityManager) => Partial<Row> | Promise<Partial<Row>>;

/** Decides on the row as it is and keeps what changes; two that change one row do so one after the other. */
export function changeOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  name: RowName,
  what: string,
  change: ChangeRow<Row>,
): Promise<Row> {
  return rows.manager.transaction(manager => changeOwnIn(manager.withRepository(rows), name, what, change));
}

/** As `changeOwn`, within the transaction of the repository. */
export async function changeOwnIn<Row extends OwnedRow>(
  rows: Repository<Row>,
  name: RowName,
  what: string,
  change: ChangeRow<Row>,
): Promise<Row> {
  const row = await lockOwn(rows, name, what);
  const changes = await change(row, rows.manager);
  if (Object.keys(changes).length > 0) {
    await rows.manager.update(rows.target, row.id, changes);
  }
  return { ...row, ...changes };
}

function missing(what: string): never {
  throw new ServiceError('not_found', `There is no such ${what}.`);
}
