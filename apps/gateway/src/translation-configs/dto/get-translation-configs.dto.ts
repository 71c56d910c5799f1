import { IsOptional, IsString } from 'class-validator';

export class GetTranslationConfigsDto {
  @IsOptional()
  @IsString({ message: 'translationConfigID must be given once.' })
  translationConfigID?: string;

  @IsOptional()
  @IsString({ message: 'nickName must be given once.' })
  nickName?: string;
}
