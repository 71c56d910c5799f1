import { ServiceError } from '@rtms/contracts';
import { IsOptional, Length } from 'class-validator';

/** Of either an external session or a member of the room. */
export class CreateBroadcastDto {
  @IsOptional()
  @Length(1, 64, { message: 'sourceSessionID must be the identifier of an external session.' })
  sourceSessionID?: string | null;

  @IsOptional()
  @Length(1, 64, { message: 'sourceParticipantID must be the identifier of a participant.' })
  sourceParticipantID?: string | null;
}

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
