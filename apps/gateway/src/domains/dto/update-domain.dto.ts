import { IsBoolean, IsOptional, Length } from 'class-validator';
import { IsDomain } from '../is-domain.decorator.js';

export class UpdateDomainDto {
  @Length(1, 64, { message: 'domainID must be the identifier of a domain.' })
  domainID!: string;

  @IsOptional()
  @IsDomain()
  domain?: string | null;

  @IsOptional()
  @IsBoolean({ message: 'enabled must be true or false.' })
  enabled?: boolean | null;
}
