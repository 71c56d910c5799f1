import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { outputModes, type TranslationConfig } from './translation-config.entity.js';

export const translationConfigSchema = z
  .object({
    translationConfigID: identifier('tcfg'),
    nickName: z.string(),
    sttNickName: z.string(),
    llmNickName: z.string(),
    ttsNickName: z.string().nullable(),
    spokenLanguages: z.array(z.string()),
    listenLanguages: z.array(z.string()),
    outputMode: z.enum(outputModes),
    autoDetectSpokenLanguage: z.boolean(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'TranslationConfig' });
export type PresentedTranslationConfig = z.infer<typeof translationConfigSchema>;

export function presentTranslationConfig(config: TranslationConfig): PresentedTranslationConfig {
  return {
    translationConfigID: config.id,
    nickName: config.nickName,
    sttNickName: config.sttNickName,
    llmNickName: config.llmNickName,
    ttsNickName: config.ttsNickName,
    spokenLanguages: config.spokenLanguages,
    listenLanguages: config.listenLanguages,
    outputMode: config.outputMode,
    autoDetectSpokenLanguage: config.autoDetectSpokenLanguage,
    createdAt: presentTime(config.createdAt),
    updatedAt: presentTime(config.updatedAt),
  };
}
