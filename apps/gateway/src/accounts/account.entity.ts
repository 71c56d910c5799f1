import { Column, Entity, PrimaryColumn } from 'typeorm';

export const accountStates = ['active', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

@Entity('accounts')
export class Account {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  /** First half of the credential; 6–32 letters and digits. */
  @Column('text')
  apiUserName!: string;

  /** A deleted account is disabled too, so that everything refuses it alike. */
  @Column('text')
  state!: AccountState;

  /** Since when its data waits for removal; null: it was not deleted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
