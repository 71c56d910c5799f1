import { IsBoolean, IsOptional } from 'class-validator';
import { IsDomain } from '../is-domain.decorator.js';

export class CreateDomainDto {
  @IsDomain()
  domain!: string;

  @IsOptional()
  @IsBoolean({ message: 'enabled must be true or false.' })
  enabled?: boolean | null;
}
