import { keyOverlapHours } from '@rtms/contracts';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';

const typeRule = { message: `type must be one of: ${keyTypes.join(', ')}.` };
const overlapRule = {
  message: `overlapHours must be a whole number from ${keyOverlapHours.min} to ${keyOverlapHours.max}.`,
};

export class CreateKeyDto {
  @IsIn(keyTypes, typeRule)
  type!: KeyType;
}

export class RotateKeyDto {
  @IsIn(keyTypes, typeRule)
  type!: KeyType;

  @IsOptional()
  @Max(keyOverlapHours.max, overlapRule)
  @Min(keyOverlapHours.min, overlapRule)
  @IsInt(overlapRule)
  overlapHours?: number | null;
}
