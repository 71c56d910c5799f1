import type { ChatPermission, EventOptions, EventType, Permission, TargetResolution } from '@rtms/contracts';
import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

/** What applies to new rooms of one type. */
@Entity('event_settings')
export class EventSetting extends ChangingRow implements EventOptions {
  /** The account, or its sub-user whose own settings these are. */
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
