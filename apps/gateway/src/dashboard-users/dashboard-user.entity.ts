import type { DashboardRole } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who signs in to the dashboard. */
@Entity('dashboard_users')
export class DashboardUser {
  @PrimaryColumn('text')
  id!: string;

  /** As `normaliseEmail` writes it. */
  @Column('text')
  email!: string;

  /** Argon2id with its salt and parameters. */
  @Column('text')
  passwordHash!: string;

  @Column('text')
  role!: DashboardRole;

  /** null for an administrator. */
  @Column('text', { nullable: true })
  accountID!: string | null;

  /** There before it is in force: the user confirms it with a first code. */
  @Column('bytea', { nullable: true })
  encryptedTotpSecret!: Buffer | null;

  @Column('boolean')
  totpEnabled!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
