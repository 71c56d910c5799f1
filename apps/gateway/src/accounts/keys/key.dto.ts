import { keyOverlapHours } from '@rtms/contracts';
import { Dto, optional } from '../../platform/http/dto.js';
import { flag, oneOf, whole } from '../../platform/http/fields.js';
import { keyType } from './present-key.js';

export const keyFields = {
  type: keyType,
  overlapHours: whole(keyOverlapHours.min, keyOverlapHours.max).describe(
    'Hours for which the former key stays valid. Default: the former key ends at once.',
  ),
};
const { type, overlapHours } = keyFields;
const lastKey = 'Disables the last working main key of its environment too: servers that use the key stop at once.';

export class CreateKeyDto extends Dto({ type }) {}

export class RotateKeyDto extends Dto({ type, ...optional({ overlapHours }) }) {}

export class DisableKeyDto extends Dto(optional({ force: flag.describe(lastKey) })) {}

export class DeleteKeyDto extends Dto(optional({ force: oneOf(['true', 'false']).describe(lastKey) })) {}
