import type { EndReason } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn, type ValueTransformer } from 'typeorm';
import type { Placement } from './placement.js';

/** The driver returns a bigint as text. A number holds epochs, which are times in milliseconds, and sizes of files. */
export const bigintAsNumber: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** The columns that external sessions, playbacks, broadcasts and recordings share. */
export abstract class MediaResource implements Placement {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text', { nullable: true })
  nodeID!: string | null;

  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  nodeEpoch!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  placedAt!: Date;

  @Column('integer')
  factSequence!: number;

  /** The end of the grace time in which a lost client or node may come back. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  graceUntil!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  activatedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;

  @Column('text', { nullable: true })
  endReason!: EndReason | null;
}

/** The media node of a room in which a member has opened media. */
@Entity('room_media')
export class RoomMediaPlace {
  @PrimaryColumn('text')
  meetingID!: string;

  @Column('text')
  nodeID!: string;

  @Column('bigint', { transformer: bigintAsNumber })
  nodeEpoch!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  placedAt!: Date;
}
