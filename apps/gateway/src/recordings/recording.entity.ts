import { recordingTransitions, type MediaKind, type RecordingState, type RecordingStorage } from '@rtms/contracts';
import { Column, Entity, type ValueTransformer } from 'typeorm';
import type { KeyType } from '../auth/caller.js';
import { MediaResource } from '../media/media-resource.entity.js';

export const recordingStates = Object.keys(recordingTransitions) as [RecordingState, ...RecordingState[]];

/** PostgreSQL's bigint travels as text; the size of a file fits a number. */
const bytesColumn: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/**
 * A recording of one start of a transcoder. `graceUntil`: until when another one may go on with its source, after
 * the node was lost.
 */
@Entity('recordings')
export class Recording extends MediaResource {
  /** The environment of its room. */
  @Column('text')
  keyType!: KeyType;

  @Column('text', { nullable: true })
  sourceSessionID!: string | null;

  @Column('text', { nullable: true })
  sourceParticipantID!: string | null;

  @Column('text')
  state!: RecordingState;

  @Column('jsonb')
  tracks!: MediaKind[];

  @Column('integer')
  maxDurationSeconds!: number;

  /** How often its source may be lost and come back. */
  @Column('integer')
  pausesLimit!: number;

  @Column('integer')
  pauseCount!: number;

  @Column('integer')
  retentionDays!: number;

  /** The one that it goes on with. */
  @Column('text', { nullable: true })
  previousRecordingID!: string | null;

  /** Of the media in the file. */
  @Column('double precision', { nullable: true })
  durationSeconds!: number | null;

  /** null: there is no file. */
  @Column('text', { nullable: true })
  storage!: RecordingStorage | null;

  /** When the file is deleted. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

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

/** What a recording without a file has. */
export const noFile = {
  storage: null,
  expiresAt: null,
  sizeBytes: null,
  format: null,
  width: null,
  height: null,
  checksumSha256: null,
} satisfies Partial<Recording>;
