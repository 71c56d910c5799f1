import { ServiceError } from '@rtms/contracts';
import { sentChanges } from '../../platform/rows/own-row.js';
import { canonicalLanguages } from '../../platform/http/fields.js';
import { newID } from '../../platform/database/new-id.js';
import type { CreateTranslationConfigDto, UpdateTranslationConfigDto } from './translation-config.dto.js';
import type { TranslationConfig } from './translation-config.entity.js';

const fields = [
  'nickName',
  'sttNickName',
  'llmNickName',
  'ttsNickName',
  'spokenLanguages',
  'listenLanguages',
  'outputMode',
  'autoDetectSpokenLanguage',
] as const;

/** Whatever was left out gets its default: spoken output where there is a voice for it, any spoken language. */
export function makeTranslationConfig(
  accountID: string,
  dto: CreateTranslationConfigDto,
  now: Date,
): TranslationConfig {
  const config: TranslationConfig = {
    id: newID('tcfg'),
    accountID,
    nickName: dto.nickName,
    sttNickName: dto.sttNickName,
    llmNickName: dto.llmNickName,
    ttsNickName: dto.ttsNickName ?? null,
    spokenLanguages: canonicalLanguages(dto.spokenLanguages ?? []),
    listenLanguages: canonicalLanguages(dto.listenLanguages ?? []),
    outputMode: dto.outputMode ?? (dto.ttsNickName ? 'audio' : 'text'),
    autoDetectSpokenLanguage: dto.autoDetectSpokenLanguage ?? !dto.spokenLanguages?.length,
    createdAt: now,
    updatedAt: now,
  };
  requireWhole(config);
  return config;
}

export function changeTranslationConfig(
  config: TranslationConfig,
  sent: Omit<UpdateTranslationConfigDto, 'translationConfigID'>,
  now: Date,
): Partial<TranslationConfig> {
  const { spokenLanguages, listenLanguages } = sent;
  const changes = {
    ...(sentChanges(sent, fields, ['ttsNickName']) as Partial<TranslationConfig>),
    ...(spokenLanguages && { spokenLanguages: canonicalLanguages(spokenLanguages) }),
    ...(listenLanguages && { listenLanguages: canonicalLanguages(listenLanguages) }),
    updatedAt: now,
  };
  requireWhole({ ...config, ...changes });
  return changes;
}

/** What single fields cannot say. */
function requireWhole(config: TranslationConfig): void {
  if (config.outputMode === 'audio' && config.ttsNickName === null) {
    throw new ServiceError('invalid_request', 'ttsNickName is needed when outputMode is audio.');
  }
  if (!config.autoDetectSpokenLanguage && config.spokenLanguages.length === 0) {
    throw new ServiceError(
      'invalid_request',
      'spokenLanguages must name a language when autoDetectSpokenLanguage is false.',
    );
  }
}
