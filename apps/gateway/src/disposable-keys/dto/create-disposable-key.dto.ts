import { IsIn, IsOptional } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';
import type { Operation } from '../../auth/operations.js';
import { AreDomains, AreOperations, IsKeyName, IsValidity } from '../key-rules.decorators.js';

export class CreateDisposableKeyDto {
  @IsKeyName()
  name!: string;

  @IsIn(keyTypes, { message: `type must be one of: ${keyTypes.join(', ')}.` })
  type!: KeyType;

  /** Null, or left out: the key never expires. */
  @IsOptional()
  @IsValidity()
  validityDays?: number | null;

  @AreOperations('operations', 1)
  operations!: Operation[];

  @IsOptional()
  @AreDomains()
  domains?: string[] | null;
}
