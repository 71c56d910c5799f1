import type { AccountState } from '../../platform/auth/caller.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('accounts')
export class Account {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  /** The first half of the credential: 6–32 letters and digits. */
  @Column('text')
  apiUserName!: string;

  /** A deleted account is disabled too, so that every check refuses it. */
  @Column('text')
  state!: AccountState;

  /** When the account was deleted; its data waits for retention. null: not deleted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
