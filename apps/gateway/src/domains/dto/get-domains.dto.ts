import { IsOptional, IsString } from 'class-validator';

export class GetDomainsDto {
  @IsOptional()
  @IsString({ message: 'domainID must be given once.' })
  domainID?: string;
}
