import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { Told } from '../../fields/told.decorator.js';
import { Default } from '../../fields/default.decorator.js';
import { IsLanguages } from '../../fields/languages.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { outputModes, type OutputMode } from '../translation-config.entity.js';

export class CreateTranslationConfigDto {
  @IsText('nickName', 1, 64)
  nickName!: string;

  @IsText('sttNickName', 1, 64)
  sttNickName!: string;

  @IsText('llmNickName', 1, 64)
  llmNickName!: string;

  @IsOptional()
  @IsText('ttsNickName', 1, 64)
  @Default(null)
  ttsNickName?: string | null;

  @IsOptional()
  @IsLanguages('spokenLanguages', 64)
  @Default([])
  spokenLanguages?: string[] | null;

  @IsOptional()
  @IsLanguages('listenLanguages', 64)
  @Default([])
  listenLanguages?: string[] | null;

  @IsOptional()
  @IsIn(outputModes, { message: `outputMode must be one of: ${outputModes.join(', ')}.` })
  @Told('Left out: audio with a ttsNickName, else text.')
  outputMode?: OutputMode | null;

  @IsOptional()
  @IsBoolean({ message: 'autoDetectSpokenLanguage must be true or false.' })
  @Told('Left out: true without spokenLanguages, else false.')
  autoDetectSpokenLanguage?: boolean | null;
}
