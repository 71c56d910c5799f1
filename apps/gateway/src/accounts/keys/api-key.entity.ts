import { Column, Entity } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';
import type { KeyType } from '../../platform/auth/caller.js';

/** A main key of an account or a key of one of its sub-users. The row has a keyed hash of the key, not the key itself. */
@Entity('api_keys')
export class ApiKey extends OwnRow {
  /** Null for the account's main keys. */
  @Column('text', { nullable: true })
  subUserID!: string | null;

  @Column('text')
  type!: KeyType;

  @Column('bytea')
  hash!: Buffer;

  /** The characters by which people recognise the key. */
  @Column('text')
  maskedKey!: string;

  /** When a rotation made another key the current one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** When the key was disabled; null: enabled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;
}
