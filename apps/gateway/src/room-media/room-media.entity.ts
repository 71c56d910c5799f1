import { Column, Entity, PrimaryColumn, type ValueTransformer } from 'typeorm';

/** PostgreSQL's bigint travels as text; an epoch is a time in ms and fits a number. */
const epochColumn: ValueTransformer = { to: (value: number) => value, from: (value: string) => Number(value) };

/** The media node of a room, once something was opened there. */
@Entity('room_media')
export class RoomMediaPlace {
  @PrimaryColumn('text')
  meetingID!: string;

  @Column('text')
  nodeID!: string;

  @Column('bigint', { transformer: epochColumn })
  nodeEpoch!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  placedAt!: Date;
}
