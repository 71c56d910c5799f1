import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';
import type { AgentReference } from './agent.dto.js';

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

  /** The steps that complete the agent after an import. */
  @Column('jsonb')
  todo!: string[];

  /** The providers of an imported definition, for reference only. AI credentials choose the providers in use. */
  @Column('jsonb')
  reference!: AgentReference;
}
