import { Length } from 'class-validator';

export class TranslationConfigNameDto {
  @Length(1, 64, { message: 'translationConfigID must be the identifier of a translation config.' })
  translationConfigID!: string;
}
