import { presentTime } from '../http/present.js';
import type { OutputMode, TranslationConfig } from './translation-config.entity.js';

export interface PresentedTranslationConfig {
  translationConfigID: string;
  nickName: string;
  sttNickName: string;
  llmNickName: string;
  ttsNickName: string | null;
  spokenLanguages: string[];
  listenLanguages: string[];
  outputMode: OutputMode;
  autoDetectSpokenLanguage: boolean;
  createdAt: string;
  updatedAt: string;
}

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
