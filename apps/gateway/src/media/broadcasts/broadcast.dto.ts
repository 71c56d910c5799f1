import { ServiceError } from '@rtms/contracts';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf } from '../../platform/http/fields.js';

/** The source of a broadcast or a recording. */
export const sourceFields = {
  sourceSessionID: idOf('an external session').describe('External session to take media from.'),
  sourceParticipantID: idOf('a participant').describe('Participant to take media from.'),
};

/** Needs exactly one of the two sources. */
export class CreateBroadcastDto extends Dto(optional(sourceFields)) {}

export interface SourceChoice {
  sourceSessionID: string | null;
  sourceParticipantID: string | null;
}

export function requireOneSource({
  sourceSessionID = null,
  sourceParticipantID = null,
}: CreateBroadcastDto): SourceChoice {
  if ((sourceSessionID === null) === (sourceParticipantID === null))
    throw new ServiceError('invalid_request', 'Give either sourceSessionID or sourceParticipantID.');
  return { sourceSessionID, sourceParticipantID };
}
