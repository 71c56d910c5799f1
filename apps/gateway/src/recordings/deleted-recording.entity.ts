import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyType } from '../auth/caller.js';
import type { PresentedRecording } from './present-recording.js';

/** A recording that was deleted. The log of its room still says that it was made: its minutes stay charged. */
@Entity('deleted_recordings')
export class DeletedRecording {
  /** That of the recording. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  /** The environment of its room. */
  @Column('text')
  keyType!: KeyType;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  deletedAt!: Date;

  /** As callers saw it last. */
  @Column('jsonb')
  recording!: PresentedRecording;
}
