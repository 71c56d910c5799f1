import { defaultEventOptions, defaultEventType } from '@rtms/contracts';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { eventOptionFields } from './event-options.js';

/** `type` and `eventsSettingID` name the record. */
const names = { eventsSettingID: idOf('event settings'), type: eventOptionFields.type };

/** Absent fields take their defaults. */
export class CreateEventSettingDto extends Dto(optional(eventOptionFields, defaultEventOptions(defaultEventType))) {}

/** Absent fields stay the same. With an identifier, `type` is a change; without one, it names the record. */
export class UpdateEventSettingDto extends Dto(optional({ ...eventOptionFields, ...names })) {}

/** Needs one of the two; the identifier takes precedence. */
export class DeleteEventSettingDto extends Dto(optional(names)) {}

export class GetEventSettingsDto extends Dto(optionalQuery({ ...names, eventsSettingID: queryText() })) {}
