import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event in the log of a room. `showEvent` decides which viewers see it. */
@Entity('room_events')
export class StoredRoomEvent {
  @PrimaryColumn('text')
  meetingID!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The participants that get the event. null: all. */
  @Column('text', { array: true, nullable: true })
  audience!: string[] | null;

  @Column('text')
  type!: string;

  @Column('jsonb')
  body!: object;
}

/** A gateway process that serves room sockets. */
@Entity('gateway_replicas')
export class StoredReplica {
  @PrimaryColumn('text')
  id!: string;

  /** The time of its last heartbeat, by its own clock. */
  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}
