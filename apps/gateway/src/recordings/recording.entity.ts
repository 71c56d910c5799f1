import { Column, Entity, PrimaryColumn, type ValueTransformer } from 'typeorm';

export const recordingStates = ['starting', 'recording', 'processing', 'ready', 'failed'] as const;
export type RecordingState = (typeof recordingStates)[number];

/** PostgreSQL's bigint travels as text; the size of a file fits a number. */
const bytesColumn: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

@Entity('recordings')
export class Recording {
  /** Callers know it as `recordingID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  @Column('text', { nullable: true })
  sourceParticipantID!: string | null;

  @Column('text')
  state!: RecordingState;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;

  @Column('bigint', { nullable: true, transformer: bytesColumn })
  sizeBytes!: number | null;

  @Column('text', { nullable: true })
  format!: string | null;

  @Column('integer', { nullable: true })
  width!: number | null;

  @Column('integer', { nullable: true })
  height!: number | null;

  @Column('text', { nullable: true })
  checksumSha256!: string | null;
}
