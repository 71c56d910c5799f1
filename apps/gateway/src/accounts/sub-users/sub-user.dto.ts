import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { keyFields } from '../keys/key.dto.js';
import { subUserFields } from './present-sub-user.js';

const { name, email, role, permissions } = subUserFields;
const subUserID = idOf('a sub-user');
const { type, overlapHours } = keyFields;

export class CreateSubUserDto extends Dto({
  ...{ name, email },
  ...optional({ role, permissions }, { role: 'member', permissions: [] }),
}) {}

export class SubUserIDDto extends Dto({ subUserID }) {}

export class UpdateSubUserDto extends Dto({ subUserID, ...optional(subUserFields) }) {}

export class RotateSubUserKeyDto extends Dto({ ...{ subUserID, type }, ...optional({ overlapHours }) }) {}

export class SubUserKeyDto extends Dto({ subUserID, keyID: idOf('a key of the sub-user') }) {}

export class GetSubUsersDto extends Dto(optionalQuery({ subUserID: queryText() })) {}
