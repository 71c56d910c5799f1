import type { DashboardRole } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who signs in to the dashboard. */
@Entity('dashboard_users')
export class DashboardUser {
  @PrimaryColumn('text')
  id!: string;

  /** In the form that `normaliseEmail` returns. */
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

  /** Set before the second factor is in force: the user confirms the secret with a first code. */
  @Column('bytea', { nullable: true })
  encryptedTotpSecret!: Buffer | null;

  @Column('boolean')
  totpEnabled!: boolean;

  /** The newest step of 30 s whose code was accepted. */
  @Column({ type: 'bigint', nullable: true, select: false })
  totpLastStep?: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

@Entity('dashboard_sessions')
export class DashboardSession {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  userID!: string;

  /** A keyed hash of the token. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSeenAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** When the user last typed the password. */
  @Column({ type: 'timestamptz', precision: 3 })
  confirmedAt!: Date;
}

/** A recovery code that is not used yet. */
@Entity('dashboard_recovery_codes')
export class DashboardRecoveryCode {
  @PrimaryColumn('text')
  userID!: string;

  /** A keyed hash of the code. */
  @PrimaryColumn('bytea')
  codeHash!: Buffer;
}

/** A user has at most one reset link. */
@Entity('dashboard_password_resets')
export class DashboardPasswordReset {
  @PrimaryColumn('text')
  userID!: string;

  /** A keyed hash of the token. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
