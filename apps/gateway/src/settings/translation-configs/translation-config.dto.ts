import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, languages, oneOf, queryText, text } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import { outputModes, type TranslationConfig } from './translation-config.entity.js';

export const translationConfigFields = {
  nickName: text(1, 64).meta({
    description: 'Name of the configuration, unique in the account.',
    examples: ['main-notes'],
  }),
  sttNickName: text(1, 64).meta({
    description: 'Nickname of the AI credential for speech-to-text.',
    examples: ['main-stt'],
  }),
  llmNickName: text(1, 64).meta({
    description: 'Nickname of the AI credential for the language model.',
    examples: ['main-llm'],
  }),
  ttsNickName: text(1, 64)
    .nullable()
    .meta({ description: 'Nickname of the AI credential for text-to-speech.', examples: ['main-tts'] }),
  spokenLanguages: languages(64).describe('Languages that people speak.'),
  listenLanguages: languages(64).describe('Languages that people listen to.'),
  outputMode: oneOf(outputModes).describe('Form of the output. Default: `audio` with a ttsNickName, else `text`.'),
  autoDetectSpokenLanguage: flag.describe(
    'Whether the spoken language is detected. Default: true without spokenLanguages.',
  ),
};

const { nickName, sttNickName, llmNickName, ...otherFields } = translationConfigFields;
const translationConfigID = idOf('a translation config');
const defaults = { ttsNickName: null, spokenLanguages: [], listenLanguages: [] };

export class CreateTranslationConfigDto extends Dto({
  ...{ nickName, sttNickName, llmNickName },
  ...optional(otherFields, defaults),
}) {}

export class TranslationConfigIDDto extends Dto({ translationConfigID }) {}

export class UpdateTranslationConfigDto extends Dto({ translationConfigID, ...optional(translationConfigFields) }) {}

export class GetTranslationConfigsDto extends Dto(
  optionalQuery({ translationConfigID: queryText(), nickName: queryText() }),
) {}

export const translationConfigSchema = z
  .object({ translationConfigID: identifier('tcfg'), ...translationConfigFields, ...recordTimes })
  .meta({ id: 'TranslationConfig', description: 'A named preset of AI notes and translation.' });

export function presentTranslationConfig(config: TranslationConfig): z.infer<typeof translationConfigSchema> {
  return { translationConfigID: config.id, ...presentFields({ ...translationConfigFields, ...recordTimes }, config) };
}
