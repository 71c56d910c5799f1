import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountLimit } from './account-limits.js';

/** A limit that an administrator has set for one account. Without a row the plan's default is in force. */
@Entity('account_limits')
export class AccountLimitRow {
  @PrimaryColumn('text')
  accountID!: string;

  @PrimaryColumn('text')
  name!: AccountLimit;

  @Column('integer')
  value!: number;
}
