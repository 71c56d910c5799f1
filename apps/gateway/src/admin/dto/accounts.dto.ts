import { IsIn, IsInt, IsOptional, Length, Matches, Max, Min } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';

const nameRule = { message: 'name must be text of 1 to 64 characters.' };
const typeRule = { message: `type must be one of: ${keyTypes.join(', ')}.` };
const overlapRule = { message: 'overlapHours must be a whole number from 0 to 72.' };

export class CreateAccountDto {
  @Matches(/\S/, nameRule)
  @Length(1, 64, nameRule)
  name!: string;

  @IsOptional()
  @Matches(/^[A-Za-z0-9]{6,32}$/, { message: 'apiUserName must be 6 to 32 letters and digits.' })
  apiUserName?: string;
}

export class CreateKeyDto {
  @IsIn(keyTypes, typeRule)
  type!: KeyType;
}

export class RotateKeyDto {
  @IsIn(keyTypes, typeRule)
  type!: KeyType;

  @IsOptional()
  @Max(72, overlapRule)
  @Min(0, overlapRule)
  @IsInt(overlapRule)
  overlapHours?: number;
}
