import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a room's state, as everybody is told of it; see `showEvent` for who sees what. */
@Entity('room_events')
export class StoredRoomEvent {
  @PrimaryColumn('text')
  meetingID!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** Participants who are told; null: all. */
  @Column('text', { array: true, nullable: true })
  audience!: string[] | null;

  @Column('text')
  type!: string;

  @Column('jsonb')
  body!: object;
}
