import type { EntityManager, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { explainViolation, type Violations } from '../database/database-errors.js';
import { listRows, type Listed, type Page } from './list-rows.js';
import { deleteOnce, missingRow, type OwnRow, type RowName } from './own-row.js';

type ChangeRow<Row> = (row: Row, manager: EntityManager) => Partial<Row> | Promise<Partial<Row>>;

/**
 * Stores the records of one kind that belong to accounts. An unknown record and a record of another account give the same NOT_FOUND. With
 * a manager, a method works in the transaction of the manager.
 */
export abstract class OwnRowsService<Row extends OwnRow & ObjectLiteral> {
  /** Handles a failed statement. */
  protected readonly explain: (error: unknown) => never;

  /** `kind` names the records in messages, e.g. `agent`. `violations` has the error of each constraint that a statement may violate. */
  protected constructor(
    protected readonly rows: Repository<Row>,
    protected readonly kind: string,
    violations: Violations = {},
  ) {
    this.explain = explainViolation(violations);
  }

  async find(accountID: string, id: string, manager = this.rows.manager): Promise<Row> {
    const row = await manager.findOneBy(this.rows.target, { accountID, id } as FindOptionsWhere<Row>);
    if (!row) throw missingRow(this.kind);
    return row;
  }

  /** Newest first. */
  list(accountID: string, page: Page, filter: object = {}): Promise<Listed<Row>> {
    return listRows(this.rows, { accountID, ...filter } as FindOptionsWhere<Row>, page);
  }

  protected async insert(row: Row, manager = this.rows.manager): Promise<Row> {
    await manager.insert(this.rows.target, row).catch(this.explain);
    return row;
  }

  /** Locks a row, lets `change` decide on its current state, and stores the changes. */
  protected async change(name: RowName, change: ChangeRow<Row>, manager?: EntityManager): Promise<Row> {
    if (!manager) {
      return this.rows.manager.transaction(opened => this.change(name, change, opened)).catch(this.explain);
    }
    const lock = { mode: 'pessimistic_write' } as const;
    const row = await manager.findOne(this.rows.target, { where: name as FindOptionsWhere<Row>, lock });
    if (!row) throw missingRow(this.kind);
    const changes = await change(row, manager);
    if (Object.keys(changes).length > 0) await manager.update(this.rows.target, row.id, changes);
    return { ...row, ...changes };
  }
}

/** Records that every caller with the operation of the resource may delete. */
export abstract class DeletableRowsService<Row extends OwnRow & ObjectLiteral> extends OwnRowsService<Row> {
  /** Deleting a record again is safe. */
  async delete(accountID: string, id: string): Promise<void> {
    await this.rows.manager
      .transaction(manager => deleteOnce(manager, this.rows.target, { accountID, id }, this.kind))
      .catch(this.explain);
  }
}
