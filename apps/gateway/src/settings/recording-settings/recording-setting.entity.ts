import type { RecordingOptions } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

/** What applies when rooms record; at most one for an owner. */
@Entity('recording_settings')
export class RecordingSetting extends ChangingRow implements RecordingOptions {
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
}
