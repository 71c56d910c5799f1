import type { ChatPermission, EventOptions, EventType, Permission, TargetResolution } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

/** The options of new rooms of one type. */
@Entity('event_settings')
export class EventSetting extends ChangingRow implements EventOptions {
  /** The account, or the parent-role sub-user that has these settings. */
  @Column('text')
  ownerID!: string;

  @Column('text')
  type!: EventType;

  @Column('text')
  audioSetting!: Permission;

  @Column('text')
  videoSetting!: Permission;

  @Column('text')
  screenshareSetting!: Permission;

  @Column('text')
  chatSetting!: ChatPermission;

  @Column('text')
  targetResolution!: TargetResolution;

  @Column('boolean')
  addCoHost!: boolean;

  @Column('boolean')
  enableAiNotes!: boolean;

  @Column('text', { nullable: true })
  translationConfigNickName!: string | null;
}
