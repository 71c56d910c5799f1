import type { EndReason } from '@rtms/contracts';
import { Column, PrimaryColumn, type ValueTransformer } from 'typeorm';
import type { Placement } from './placement.js';

/** PostgreSQL's bigint travels as text; an epoch is a time in ms and fits a number. */
const epochColumn: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** What external sessions, playbacks and broadcasts share. */
export abstract class MediaResource implements Placement {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text', { nullable: true })
  nodeID!: string | null;

  @Column('bigint', { nullable: true, transformer: epochColumn })
  nodeEpoch!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  placedAt!: Date;

  @Column('integer')
  factSequence!: number;

  /** Until when what was lost may come back. */
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
