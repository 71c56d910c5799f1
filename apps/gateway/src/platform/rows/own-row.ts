import { ServiceError } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn, type EntityManager, type EntityTarget } from 'typeorm';
import { z } from 'zod';

/** The columns of each record that belongs to an account. */
export abstract class OwnRow {
  /** The API names it after the record, such as `agentID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/** A record that also has the time of its last change. */
export abstract class ChangingRow extends OwnRow {
  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

/** Names a row by its account and id. */
export type RowName = Pick<OwnRow, 'accountID' | 'id'>;

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

/**
 * Deletes a row in the caller's transaction. Deleting it again is safe. Throws NOT_FOUND for an unknown row and for a row of another
 * account alike.
 */
export async function deleteOnce(
  manager: EntityManager,
  target: EntityTarget<OwnRow>,
  { accountID, id }: RowName,
  kind: string,
): Promise<void> {
  const { affected } = await manager.delete(target, { id, accountID });
  if (affected)
    await manager.createQueryBuilder().insert().into(DeletedRecord).values({ accountID, id }).orIgnore().execute();
  else if (!(await manager.existsBy(DeletedRecord, { accountID, id }))) throw missingRow(kind);
}

/** `kind` names the records, e.g. `agent`. */
export function missingRow(kind: string): ServiceError {
  return new ServiceError('not_found', `There is no such ${kind}.`);
}

/** Returns the fields that an update changes. An omitted field does not change, nor does a null for a field that cannot be null. */
export function sentChanges<Shape extends z.ZodRawShape>(
  fields: Shape,
  sent: object,
): { [Name in keyof Shape]?: z.infer<Shape[Name]> } {
  const isChange = ([name, value]: [string, unknown]) =>
    name in fields && value !== undefined && (value !== null || fields[name] instanceof z.ZodNullable);
  return Object.fromEntries(Object.entries(sent).filter(isChange)) as { [Name in keyof Shape]?: z.infer<Shape[Name]> };
}
