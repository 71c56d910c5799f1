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

  /** The passphrase of SRT, because its node needs it again after a restart; null with RTMP, and when the node calls. */
  @Column('bytea', { nullable: true })
  encryptedPassphrase!: Buffer | null;

  /** The address of an encoder that the node calls by SRT; null: the encoder connects. */
  @Column('text', { nullable: true })
  callUrl!: string | null;

  /** Passphrase and stream ID of an encoder that the node calls, as JSON; null: it needs neither. */
  @Column('bytea', { nullable: true })
  encryptedCallSecrets!: Buffer | null;

  /** SRT: the node that listens for the encoder, or calls it. RTMP: the node whose address the caller got. */
  @Column('text')
  nodeID!: string;

  /** null: the node calls the encoder. */
  @Column('integer', { nullable: true })
  port!: number | null;

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
