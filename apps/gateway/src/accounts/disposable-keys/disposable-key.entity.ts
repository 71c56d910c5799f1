import type { Operation, ParticipantRole } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';
import type { KeyType } from '../../platform/auth/caller.js';

/** A key for a widget or a single integration; of the key itself only a keyed hash is kept. */
@Entity('disposable_keys')
export class DisposableKey extends OwnRow {
  /** Of the sub-user that made it, with whom it ends; null: the account itself. */
  @Column('text', { nullable: true })
  subUserID!: string | null;

  /** The disposable key that made it, with which it is revoked. */
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

  /** The only rooms that the key reaches; null: all of its account and environment. */
  @Column('text', { array: true, nullable: true, name: 'meeting_ids' })
  meetingIDs!: string[] | null;

  /** The highest role that somebody acts with in a room by the key; null: any. */
  @Column('text', { nullable: true })
  maxRole!: ParticipantRole | null;

  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  maskedKey!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Written seconds later at most. */
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
