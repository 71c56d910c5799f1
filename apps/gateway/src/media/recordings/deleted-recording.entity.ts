import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import type { PresentedRecording } from './recording.dto.js';
import type { RecordingStorage } from '@rtms/contracts';

/** A deleted recording. It stays in the log of its room, because its minutes stay charged. */
@Entity('deleted_recordings')
export class DeletedRecording {
  /** The ID of the recording. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  /** The environment of the room. */
  @Column('text')
  keyType!: KeyType;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  deletedAt!: Date;

  /** The file was composed of recordings of single sources. The room itself was not recorded. */
  @Column('boolean', { default: false })
  isComposedOfFiles!: boolean;

  /** The last answer of the API about the recording. Recordings of whole rooms are newer than the oldest rows. */
  @Column('jsonb')
  recording!: Omit<PresentedRecording, 'layout'> & Partial<Pick<PresentedRecording, 'layout'>>;
}

/** A file of a deleted or expired recording, until a transcoder has deleted the file. */
@Entity('recording_files_to_delete')
export class RecordingFileToDelete {
  @PrimaryColumn('text')
  recordingID!: string;

  @Column('text')
  nodeID!: string;

  @Column('text')
  storage!: RecordingStorage;
}
