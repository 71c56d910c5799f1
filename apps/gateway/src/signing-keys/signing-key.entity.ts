import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('signing_keys')
export class StoredSigningKey {
  /** RFC 7638 thumbprint. */
  @PrimaryColumn('text')
  kid!: string;

  @Column('jsonb')
  publicJwk!: Record<string, unknown>;

  @Column('bytea')
  encryptedPrivateJwk!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When a newer key took over; what this one signed is accepted for a while yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retiredAt!: Date | null;
}
