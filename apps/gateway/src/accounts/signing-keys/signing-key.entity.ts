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

  /** When a newer key replaced this key. Its signatures are accepted until `overlapMs` later. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retiredAt!: Date | null;
}

type Periods = Pick<StoredSigningKey, 'kid' | 'createdAt' | 'retiredAt'>;

/** By then every verifier has received a new key. */
const activationDelayMs = 5_000;

/** A signed path lives as long as its room, at most a day. One more hour covers clock differences and the last tokens. */
const overlapMs = 25 * 3_600_000;

/** Returns the newest key that has been public long enough. At the first start it returns the only key. */
export function signingKeyOf<Key extends Periods>(keys: readonly Key[], now: Date): Key | undefined {
  const newestFirst = [...keys].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const known = newestFirst.find(key => now.getTime() - key.createdAt.getTime() >= activationDelayMs);
  return known ?? newestFirst.at(-1);
}

/** Returns the keys whose signatures are still accepted. */
export function publicKeysOf<Key extends Periods>(keys: readonly Key[], now: Date): Key[] {
  return keys.filter(key => key.retiredAt === null || now.getTime() - key.retiredAt.getTime() < overlapMs);
}
