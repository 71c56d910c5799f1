import type { ChatPermission, EventOptions, EventType, Permission, TargetResolution } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What applies to new rooms of one type. */
@Entity('event_settings')
export class EventSetting implements EventOptions {
  /** Callers know it as `eventsSettingID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

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

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
