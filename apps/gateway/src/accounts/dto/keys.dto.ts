import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';

const typeRule = { message: `type must be one of: ${keyTypes.join(', ')}.` };
const overlapRule = { message: 'overlapHours must be a whole number from 0 to 72.' };

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
