import type { Poll } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('polls')
export class StoredPoll {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  meetingID!: string;

  @Column('text')
  question!: string;

  @Column('jsonb')
  options!: string[];

  @Column('text')
  state!: Poll['state'];

  /** A participant. */
  @Column('text')
  createdBy!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/** One for each poll and participant. */
@Entity('poll_votes')
export class PollVote {
  @PrimaryColumn('text')
  pollID!: string;

  @PrimaryColumn('text')
  participantID!: string;

  /** Place among the options, from 0. */
  @Column('integer')
  choice!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
