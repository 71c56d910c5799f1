import type { Operation } from '@rtms/contracts';
import { IsOptional, Length } from 'class-validator';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AreDomains, IsValidity } from '../key-rules.decorators.js';

export class UpdateDisposableKeyDto {
  @Length(1, 64, { message: 'keyID must be the identifier of a disposable key.' })
  keyID!: string;

  @IsOptional()
  @IsText('name', 1, 64)
  name?: string | null;

  /** Counted from the key's making; null: it never expires. */
  @IsOptional()
  @IsValidity()
  validityDays?: number | null;

  @IsOptional()
  @AreOperations('operations', 1)
  operations?: Operation[] | null;

  /** Null: the key is narrowed to no domains any more. */
  @IsOptional()
  @AreDomains()
  domains?: string[] | null;
}
