import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { keyType } from '../keys/present-key.js';
import { disposableKeyFields } from './present-disposable-key.js';

const { name, operations, ...limits } = disposableKeyFields;
const keyID = idOf('a disposable key');
const noLimits = { validityDays: null, domains: null, meetingIDs: null, maxRole: null };

export class CreateDisposableKeyDto extends Dto({ name, type: keyType, operations, ...optional(limits, noLimits) }) {}

export class DisposableKeyIDDto extends Dto({ keyID }) {}

export class UpdateDisposableKeyDto extends Dto({ keyID, ...optional(disposableKeyFields) }) {}

export class GetDisposableKeysDto extends Dto(optionalQuery({ keyID: queryText() })) {}
