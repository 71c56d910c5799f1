import { IsOptional, IsString } from 'class-validator';

export class GetDisposableKeysDto {
  @IsOptional()
  @IsString({ message: 'keyID must be given once.' })
  keyID?: string;
}
