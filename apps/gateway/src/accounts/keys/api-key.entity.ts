import { Column, Entity } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';
import type { KeyType } from '../../platform/auth/caller.js';

/** A lasting key of an account or of one of its sub-users; of the key itself only a keyed hash is kept. */
@Entity('api_keys')
export class ApiKey extends OwnRow {
  /** Null for the account's main keys. */
  @Column('text', { nullable: true })
  subUserID!: string | null;

  @Column('text')
  type!: KeyType;

  @Column('bytea')
  hash!: Buffer;

  /** By which people tell keys apart. */
  @Column('text')
  maskedKey!: string;

  /** When a rotation made another key the current one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  /** Since when it is refused until somebody enables it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;
}
