import { Column, Entity, PrimaryColumn } from 'typeorm';

interface SpokenLine {
  speaker: string;
  text: string;
  at: string;
}

@Entity('sip_calls')
export class SipCall {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text', { nullable: true })
  meetingID!: string | null;

  @Column('text')
  direction!: 'incoming' | 'outgoing';

  @Column('text')
  callerNumber!: string;

  @Column('text')
  calleeNumber!: string;

  @Column('text')
  state!: string;

  @Column('jsonb')
  transcript!: SpokenLine[];

  @Column('text', { nullable: true })
  summary!: string | null;

  @Column('text', { nullable: true })
  callbackState!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  answeredAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;
}
