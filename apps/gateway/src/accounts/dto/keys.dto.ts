import { keyOverlapHours } from '@rtms/contracts';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Told } from '../../fields/told.decorator.js';
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

const lastKey = 'Also when no other main key of its environment works: servers that use the key stop at once.';

export class DisableKeyDto {
  @Told(lastKey)
  @IsOptional()
  @IsBoolean({ message: 'force must be true or false.' })
  force?: boolean | null;
}

export class DeleteKeyDto {
  @Told(lastKey)
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'force must be true or false.' })
  force?: 'true' | 'false' | null;
}
