import type { EndReason, ParticipantRole } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const participantStates = ['joined', 'left'] as const;
export type ParticipantState = (typeof participantStates)[number];

/** Somebody who was let into a room. External sessions are participants too, but have their own table. */
@Entity('participants')
export class Participant {
  /** Callers know it as `participantID`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text')
  userName!: string;

  @Column('text')
  role!: ParticipantRole;

  @Column('text')
  state!: ParticipantState;

  @Column({ type: 'timestamptz', precision: 3 })
  joinedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leftAt!: Date | null;

  @Column('text', { nullable: true })
  leaveReason!: EndReason | null;
}
