import type { AccountRole, DashboardRole } from '@rtms/contracts';
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

  /** Account of an owner. Gateways of the release 0.1 give each user in this column all rights. */
  @Column('text', { name: 'account_id', nullable: true })
  ownedAccountID!: string | null;

  /** Account of a developer or a viewer. Gateways of the release 0.1 do not read this column, so they give these users no rights. */
  @Column('text', { nullable: true })
  memberAccountID!: string | null;

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

  /** null for an administrator. */
  get accountID(): string | null {
    return this.ownedAccountID ?? this.memberAccountID;
  }
}

/** The columns that say which rights a user has in an account. */
export function membership(role: DashboardRole, accountID: string | null) {
  const isOwner = role === 'owner';
  return { role, ownedAccountID: isOwner ? accountID : null, memberAccountID: isOwner ? null : accountID };
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

/** A link with which somebody becomes a user of an account. Taking the link deletes the row. */
@Entity('dashboard_invitations')
export class DashboardInvitation {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  /** In the form that `normaliseEmail` returns. */
  @Column('text')
  email!: string;

  @Column('text')
  role!: AccountRole;

  /** A keyed hash of the token. */
  @Column('bytea')
  tokenHash!: Buffer;

  /** The owner who made the link. */
  @Column('text')
  invitedBy!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
