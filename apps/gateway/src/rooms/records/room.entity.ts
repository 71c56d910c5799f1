import type { EndReason, EventOptions, EventType, RecordingOptions, RoomState } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';

@Entity('rooms')
export class Room {
  /** `meetingID` in the API. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text', { nullable: true })
  roomName!: string | null;

  @Column('text')
  eventType!: EventType;

  @Column('text')
  state!: RoomState;

  @Column('text')
  keyType!: KeyType;

  @Column('text')
  hostName!: string;

  /** The participant of the ticket of `create`. null: the room is older than reserved places. */
  @Column('text', { nullable: true })
  creatorID!: string | null;

  /** Minutes. */
  @Column('integer')
  duration!: number;

  @Column('integer')
  capacity!: number;

  @Column('jsonb')
  settings!: EventOptions;

  @Column('jsonb')
  metadata!: object;

  @Column('bytea', { nullable: true })
  secureCodeHash!: Buffer | null;

  @Column('boolean')
  recordOnStart!: boolean;

  /** The recording settings in force at the creation of a room with `recordOnStart`. */
  @Column('jsonb', { nullable: true })
  recordingOptions!: RecordingOptions | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;

  @Column('text', { nullable: true })
  endReason!: EndReason | null;
}
