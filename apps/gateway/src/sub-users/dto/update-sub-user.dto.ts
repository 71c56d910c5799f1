import type { Operation } from '@rtms/contracts';
import { IsOptional, Length } from 'class-validator';
import type { AccountState } from '../../accounts/account.entity.js';
import type { SubUserRole } from '../../auth/granted-operations.js';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { IsEmailAddress, IsRole, IsState } from '../sub-user-rules.decorators.js';

export class UpdateSubUserDto {
  @Length(1, 64, { message: 'subUserID must be the identifier of a sub-user.' })
  subUserID!: string;

  @IsOptional()
  @IsText('name', 1, 64)
  name?: string | null;

  @IsOptional()
  @IsEmailAddress()
  email?: string | null;

  @IsOptional()
  @IsRole()
  role?: SubUserRole | null;

  @IsOptional()
  @AreOperations('permissions', 0)
  permissions?: Operation[] | null;

  @IsOptional()
  @IsState()
  state?: AccountState | null;
}
