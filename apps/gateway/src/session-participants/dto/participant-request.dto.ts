import { participantRequests, type ParticipantRequest } from '@rtms/contracts';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { Default } from '../../fields/default.decorator.js';

export class ParticipantRequestDto {
  @IsIn(participantRequests, { message: `request must be one of: ${participantRequests.join(', ')}.` })
  request!: ParticipantRequest;

  /** False withdraws it. */
  @IsOptional()
  @IsBoolean({ message: 'active must be true or false.' })
  @Default(true)
  active?: boolean | null;
}
