import type { EncoderProtocol, IngestProblem } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The secret of an encoder that publishes by SRT, RTMP or RTMPS, and the outcome of its last attempt. */
@Entity('ingest_keys')
export class IngestKey {
  @PrimaryColumn('text')
  sessionID!: string;

  @Column('text')
  protocol!: EncoderProtocol;

  /** Keyed hash of the stream key of RTMP; null with SRT. */
  @Column('bytea', { nullable: true })
  keyHash!: Buffer | null;

  /** The passphrase of SRT, because its node needs it again after a restart; null with RTMP. */
  @Column('bytea', { nullable: true })
  encryptedPassphrase!: Buffer | null;

  /** SRT: the node that listens for the encoder. RTMP: the node whose address the caller got. */
  @Column('text')
  nodeID!: string;

  @Column('integer')
  port!: number;

  /** An encoder that has not published before this time is refused. */
  @Column({ type: 'timestamptz', precision: 3 })
  usableUntil!: Date;

  /** From now on the key is valid as long as the session. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;

  /** Why the last encoder was refused or dropped; null: none was since the last publication. */
  @Column('text', { nullable: true })
  problem!: IngestProblem | null;
}
