import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

/** What an agent was made from, for people to read; providers are chosen by AI credentials. */
export interface AgentReference {
  provider?: string | null;
  model?: string | null;
  voice?: string | null;
  transcriber?: string | null;
  language?: string | null;
}

@Entity('agents')
export class Agent extends ChangingRow {
  @Column('text')
  name!: string;

  @Column('text')
  role!: string;

  @Column('text')
  instructions!: string;

  @Column('text', { nullable: true })
  firstMessage!: string | null;

  @Column('boolean')
  speaksFirst!: boolean;

  @Column('double precision')
  temperature!: number;

  @Column('text', { nullable: true })
  responseGuidelines!: string | null;

  @Column('integer')
  maxSessionMinutes!: number;

  @Column('text', { nullable: true })
  webhookUrl!: string | null;

  /** What is left to do before the agent is complete. */
  @Column('jsonb')
  todo!: string[];

  @Column('jsonb')
  reference!: AgentReference;
}
