import { ServiceError } from '@rtms/contracts';
import {
  Column,
  Entity,
  PrimaryColumn,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';

interface OwnedRow extends ObjectLiteral {
  id: string;
  accountID: string;
}

/** Names a row by its account and id. */
export interface RowName {
  accountID: string;
  id: string;
}

/** Throws NOT_FOUND for an unknown row and for a row of another account alike. `what` names the kind of row, e.g. `agent`. */
export async function findOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  { accountID, id }: RowName,
  what: string,
): Promise<Row> {
  const row = await rows.findOneBy({ id, accountID } as FindOptionsWhere<Row>);
  return row ?? missing(what);
}

/** Like `findOwn`, and locks the row until the transaction ends. */
async function lockOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  { accountID, id }: RowName,
  what: string,
): Promise<Row> {
  const where = { id, accountID } as FindOptionsWhere<Row>;
  return (await rows.findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? missing(what);
}

type ChangeRow<Row> = (row: Row, manager: EntityManager) => Partial<Row> | Promise<Partial<Row>>;

/** Locks a row, lets `change` decide on its current state, and stores the changes. */
export function changeOwn<Row extends OwnedRow>(
  rows: Repository<Row>,
  name: RowName,
  what: string,
  change: ChangeRow<Row>,
): Promise<Row> {
  return rows.manager.transaction(manager => changeOwnIn(manager.withRepository(rows), name, what, change));
}

/** Like `changeOwn`, in the transaction of the repository. */
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

/** Remembers a deleted row, so that deleting it again succeeds. */
@Entity('deleted_records')
export class DeletedRecord {
  @PrimaryColumn('text')
  accountID!: string;

  @PrimaryColumn('text')
  id!: string;

  @Column({ type: 'timestamptz', precision: 3, insert: false })
  deletedAt!: Date;
}

/** Deletes a row. Deleting it again is safe. Throws NOT_FOUND for an unknown row and for a row of another account alike. */
export async function deleteOnce<Row extends OwnedRow>(
  rows: Repository<Row>,
  accountID: string,
  id: string,
  what: string,
): Promise<void> {
  await rows.manager.transaction(manager => deleteOnceIn(manager, rows.target, { accountID, id }, what));
}

/** Like `deleteOnce`, in the caller's transaction. */
export async function deleteOnceIn<Row extends OwnedRow>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  { accountID, id }: Pick<OwnedRow, 'accountID' | 'id'>,
  what: string,
): Promise<void> {
  const { affected } = await manager.delete(target, { id, accountID });
  if (affected)
    await manager.createQueryBuilder().insert().into(DeletedRecord).values({ accountID, id }).orIgnore().execute();
  else if (!(await manager.existsBy(DeletedRecord, { accountID, id }))) missing(what);
}

/** Returns the fields that an update changes. An omitted field does not change, nor does a null for a field that is not in `nullable`. */
export function sentChanges<Fields extends object, Name extends keyof Fields & string>(
  sent: Partial<Fields>,
  names: readonly Name[],
  nullable: readonly NoInfer<Name>[],
): { [Each in Name]?: Exclude<Fields[Each], undefined> } {
  const isChange = (name: Name) => sent[name] !== undefined && (sent[name] !== null || nullable.includes(name));
  return Object.fromEntries(names.filter(isChange).map(name => [name, sent[name]])) as {
    [Each in Name]?: Exclude<Fields[Each], undefined>;
  };
}
