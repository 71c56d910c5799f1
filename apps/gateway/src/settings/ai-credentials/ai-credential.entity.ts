import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

export const aiKinds = ['stt', 'llm', 'tts', 'realtime'] as const;
export type AiKind = (typeof aiKinds)[number];

/** An account's own key of an AI provider. */
@Entity('ai_credentials')
export class AiCredential extends ChangingRow {
  @Column('text')
  nickName!: string;

  @Column('text')
  kind!: AiKind;

  @Column('text')
  provider!: string;

  @Column('text', { nullable: true })
  model!: string | null;

  @Column('bytea')
  encryptedApiKey!: Buffer;

  @Column('text')
  maskedApiKey!: string;

  @Column('text', { nullable: true })
  baseUrl!: string | null;

  @Column('jsonb')
  options!: object;
}
