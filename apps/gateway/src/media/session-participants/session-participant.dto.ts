import { participantRequests } from '@rtms/contracts';
import { Dto, optional } from '../../platform/http/dto.js';
import { flag, idOf, oneOf, text, whole } from '../../platform/http/fields.js';

export class PollVoteDto extends Dto({
  pollID: idOf('a poll'),
  choice: whole(0, 1000).describe('Index of the option, from 0.'),
}) {}

export class ChatSendDto extends Dto({
  message: text(1, 2000).describe('Text of the message.'),
  ...optional({ recipientID: idOf('a participant').describe('The only reader. Default: everyone in the room.') }),
}) {}

export class ParticipantRequestDto extends Dto({
  request: oneOf(participantRequests).describe('What the participant asks the host for.'),
  ...optional({ active: flag.describe('`false` withdraws the request.') }, { active: true }),
}) {}
