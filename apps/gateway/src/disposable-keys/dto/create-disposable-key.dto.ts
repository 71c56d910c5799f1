import { IsIn, IsOptional } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';
import type { Operation } from '../../auth/operations.js';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AreDomains, IsValidity } from '../key-rules.decorators.js';

export class CreateDisposableKeyDto {
  @IsText('name', 1, 64)
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
