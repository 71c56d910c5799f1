import { IsBoolean, IsOptional } from 'class-validator';
import { Default } from '../../fields/default.decorator.js';
import { IsDomain } from '../is-domain.decorator.js';

export class CreateDomainDto {
  @IsDomain()
  domain!: string;

  @IsOptional()
  @IsBoolean({ message: 'enabled must be true or false.' })
  @Default(true)
  enabled?: boolean | null;
}
