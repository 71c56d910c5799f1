import type { Operation } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';
import type { AccountState } from '../../platform/auth/caller.js';
import type { SubUserRole } from '../../platform/auth/granted-operations.js';

/** A team member with keys of its own, which shares the account and its balance. */
@Entity('sub_users')
export class SubUser extends OwnRow {
  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  @Column('text')
  role!: SubUserRole;

  @Column('text', { array: true })
  permissions!: Operation[];

  @Column('text')
  state!: AccountState;

  /** First half of its credentials. */
  @Column('text')
  apiUserName!: string;
}
