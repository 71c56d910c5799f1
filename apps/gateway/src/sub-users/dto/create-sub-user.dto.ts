import type { Operation } from '@rtms/contracts';
import { IsOptional } from 'class-validator';
import { Default } from '../../fields/default.decorator.js';
import type { SubUserRole } from '../../auth/granted-operations.js';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { IsEmailAddress, IsRole } from '../sub-user-rules.decorators.js';

export class CreateSubUserDto {
  @IsText('name', 1, 64)
  name!: string;

  @IsEmailAddress()
  email!: string;

  @IsOptional()
  @IsRole()
  @Default('member')
  role?: SubUserRole | null;

  @IsOptional()
  @AreOperations('permissions', 0)
  @Default([])
  permissions?: Operation[] | null;
}
