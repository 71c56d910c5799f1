import { recordingStates } from '../resources/recording.entity.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, oneOf, queryText } from '../../platform/http/fields.js';
import { sourceFields } from '../broadcasts/broadcast.dto.js';

const recordingID = idOf('a recording');

/** Needs exactly one of the two sources. */
export class StartRecordingDto extends Dto({ meetingID: idOf('a room'), ...optional(sourceFields) }) {}

export class RecordingIDDto extends Dto({ recordingID }) {}

export class GetRecordingsDto extends Dto(
  optionalQuery({
    recordingID: queryText(),
    meetingID: queryText(),
    state: oneOf(recordingStates).describe('Answers only recordings in this state.'),
  }),
) {}
