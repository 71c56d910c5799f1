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

  @Column('text')
  state!: AccountState;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
