import type { RecordingOptions } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What applies when rooms record; at most one for an owner. */
@Entity('recording_settings')
export class RecordingSetting implements RecordingOptions {
  /** Callers know it as `recordingSettingID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  /** The account, or its sub-user whose own settings these are. */
  @Column('text')
  ownerID!: string;

  @Column('text')
  mediaOptions!: RecordingOptions['mediaOptions'];

  @Column('text')
  audioOptions!: RecordingOptions['audioOptions'];

  @Column('text')
  videoOptions!: RecordingOptions['videoOptions'];

  @Column('text')
  videoType!: RecordingOptions['videoType'];

  @Column('boolean')
  videoOptimized!: boolean;

  @Column('text')
  recordingDisplayType!: RecordingOptions['recordingDisplayType'];

  @Column('boolean')
  addHLS!: boolean;

  @Column('boolean')
  nameTags!: boolean;

  @Column('text')
  backgroundColor!: string;

  @Column('text')
  nameTagsColor!: string;

  @Column('text')
  orientation!: RecordingOptions['orientation'];

  @Column('integer')
  maxDurationSeconds!: number;

  @Column('integer')
  pausesLimit!: number;

  @Column('integer')
  retentionDays!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
