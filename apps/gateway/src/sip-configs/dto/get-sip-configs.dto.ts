import { IsOptional, IsString } from 'class-validator';

export class GetSipConfigsDto {
  @IsOptional()
  @IsString({ message: 'sipConfigID must be given once.' })
  sipConfigID?: string;

  @IsOptional()
  @IsString({ message: 'contactNumber must be given once.' })
  contactNumber?: string;
}
