import { IsOptional, IsString } from 'class-validator';

export class GetSubUsersDto {
  @IsOptional()
  @IsString({ message: 'subUserID must be given once.' })
  subUserID?: string;
}
