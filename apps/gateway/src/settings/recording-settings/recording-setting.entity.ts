import type { RecordingOptions } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

/** The recording options of an owner, who has at most one record. */
@Entity('recording_settings')
export class RecordingSetting extends ChangingRow implements RecordingOptions {
  /** The account, or the parent-role sub-user that has these settings. */
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
}
