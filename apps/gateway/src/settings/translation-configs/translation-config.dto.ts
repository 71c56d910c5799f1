import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { translationConfigFields } from './present-translation-config.js';

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
