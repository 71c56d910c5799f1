import type { Operation, ParticipantRole } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';
import type { KeyType } from '../../platform/auth/caller.js';

/** A key for a widget or a single integration. The row has a keyed hash of the key, not the key itself. */
@Entity('disposable_keys')
export class DisposableKey extends OwnRow {
  /** The sub-user that created the key. Deleting the sub-user deletes the key. null: the account itself created it. */
  @Column('text', { nullable: true })
  subUserID!: string | null;

  /** The disposable key that created this key. Revoking that key revokes this key too. */
  @Column('text', { nullable: true, name: 'created_by_key_id' })
  createdByKeyID!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  type!: KeyType;

  @Column('integer', { nullable: true })
  validityDays!: number | null;

  @Column('text', { array: true })
  operations!: Operation[];

  /** In the form of registered domains. */
  @Column('text', { array: true, nullable: true })
  domains!: string[] | null;

  /** The only rooms that the key reaches; null: all rooms of its account and environment. */
  @Column('text', { array: true, nullable: true, name: 'meeting_ids' })
  meetingIDs!: string[] | null;

  /** The highest role that the key can give in a room; null: any role. */
  @Column('text', { nullable: true })
  maxRole!: ParticipantRole | null;

  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  maskedKey!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Updated within seconds after the use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;
}

@Entity('disposable_key_usage')
export class DisposableKeyUsage {
  @PrimaryColumn('text')
  keyID!: string;

  @PrimaryColumn('text')
  operation!: Operation;

  @Column({ type: 'bigint', transformer: { from: Number, to: String } })
  requestCount!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  lastUsedAt!: Date;
}
