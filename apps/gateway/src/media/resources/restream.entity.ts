import type { MediaKind, RestreamProblem, RestreamProtocol, RestreamState } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { MediaResource } from './media-resource.entity.js';

/** A source's media on its way to a server outside the platform. */
@Entity('restreams')
export class Restream extends MediaResource {
  /** null: the source is a broadcast. */
  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  /** null: the source is an external session. */
  @Column('text', { nullable: true })
  sourceBroadcastID!: string | null;

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('text')
  state!: RestreamState;

  @Column('text')
  targetProtocol!: RestreamProtocol;

  @Column('text')
  targetUrl!: string;

  /** Stream key and passphrase as JSON; null: none, or the restream has ended. */
  @Column('bytea', { nullable: true })
  encryptedTargetSecrets!: Buffer | null;

  /** Failed attempts since the target last took media for some seconds. */
  @Column('integer')
  retryCount!: number;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  problem!: RestreamProblem | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  problemAt!: Date | null;

  /** The reason that the caller gave when it ended the restream. */
  @Column('text', { nullable: true })
  reason!: string | null;
}
