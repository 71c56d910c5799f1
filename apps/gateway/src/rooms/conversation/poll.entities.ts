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

  /** The ID of a participant. */
  @Column('text')
  createdBy!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/** A participant has one vote in a poll. */
@Entity('poll_votes')
export class PollVote {
  @PrimaryColumn('text')
  pollID!: string;

  @PrimaryColumn('text')
  participantID!: string;

  /** The index of the option, from 0. */
  @Column('integer')
  choice!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
