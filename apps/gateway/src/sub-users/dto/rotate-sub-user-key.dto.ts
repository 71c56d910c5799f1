import { keyOverlapHours } from '@rtms/contracts';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';
import { Told } from '../../fields/told.decorator.js';
import { DeleteSubUserDto } from './delete-sub-user.dto.js';

const overlapRule = {
  message: `overlapHours must be a whole number from ${keyOverlapHours.min} to ${keyOverlapHours.max}.`,
};

export class RotateSubUserKeyDto extends DeleteSubUserDto {
  @IsIn(keyTypes, { message: `type must be one of: ${keyTypes.join(', ')}.` })
  type!: KeyType;

  @IsOptional()
  @Max(keyOverlapHours.max, overlapRule)
  @Min(keyOverlapHours.min, overlapRule)
  @IsInt(overlapRule)
  @Told('How long the former key stays valid; left out: it ends at once.')
  overlapHours?: number | null;
}
