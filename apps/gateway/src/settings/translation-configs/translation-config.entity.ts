import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

export const outputModes = ['audio', 'text'] as const;
export type OutputMode = (typeof outputModes)[number];

/** A preset of AI credentials for notes and translation. Event settings refer to it by its nickname. */
@Entity('translation_configs')
export class TranslationConfig extends ChangingRow {
  @Column('text')
  nickName!: string;

  @Column('text')
  sttNickName!: string;

  @Column('text')
  llmNickName!: string;

  /** Needed for spoken output. */
  @Column('text', { nullable: true })
  ttsNickName!: string | null;

  /** BCP 47 tags; empty: any language. */
  @Column('jsonb')
  spokenLanguages!: string[];

  @Column('jsonb')
  listenLanguages!: string[];

  @Column('text')
  outputMode!: OutputMode;

  @Column('boolean')
  autoDetectSpokenLanguage!: boolean;
}
