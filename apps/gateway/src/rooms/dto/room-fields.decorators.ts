import { applyDecorators } from '@nestjs/common';
import { IsInt, IsObject, Length, Max, Min } from 'class-validator';
import { MaxJsonBytes } from '../../fields/max-json-bytes.decorator.js';

const durationRule = { message: 'Duration must be a whole number of minutes from 1 to 1440.' };
const capacityRule = { message: 'Capacity must be a whole number of participants from 2 to 100000.' };
const metadataRule = { message: 'metadata must be an object of at most 4 KiB.' };

/** Minutes. */
export function IsDuration(): PropertyDecorator {
  return applyDecorators(Max(1440, durationRule), Min(1, durationRule), IsInt(durationRule));
}

export function IsCapacity(): PropertyDecorator {
  return applyDecorators(Max(100_000, capacityRule), Min(2, capacityRule), IsInt(capacityRule));
}

export function IsMetadata(): PropertyDecorator {
  return applyDecorators(MaxJsonBytes(4096, metadataRule), IsObject(metadataRule));
}

export function IsMeetingID(): PropertyDecorator {
  return Length(1, 64, { message: 'meetingID must be the identifier of a room.' });
}
