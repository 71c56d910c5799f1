import { Body, Controller, Get, Param } from '@nestjs/common';
import { ActsAs, RequireOperation } from '../../platform/auth/auth.decorators.js';
import { Action } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { CurrentOwner, type Owner } from '../resources/owned-rows.js';
import {
  ChatSendDto,
  ParticipantRequestDto,
  PollVoteDto,
  outcomeSchema,
  participantStateSchema,
} from './session-participant.dto.js';
import { SessionParticipantsService } from './session-participants.service.js';

const outcome = one('outcome', outcomeSchema);

@ApiTag({ name: 'External sessions', post: 'postParticipantAction' })
@Controller('v1/meetings/:meetingID/external-sessions/:sessionID')
@RequireOperation('ingestMedia')
export class SessionParticipantsController {
  constructor(private readonly participants: SessionParticipantsService) {}

  @Get('participant-state')
  @ApiOperation({
    operationId: 'getParticipantState',
    summary: 'Read an external session as a participant',
    description: 'Answers its media, recent chat, polls, and its breakout room and whiteboard.',
  })
  @ApiAnswer(one('participantState', participantStateSchema))
  async state(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string) {
    return presentOne('participantState', await this.participants.state(owner, sessionID));
  }

  @ActsAs('participant')
  @Action('poll.vote', 'participant-actions')
  @ApiOperation({ operationId: 'votePoll', summary: 'Vote in a poll as the external session' })
  @ApiAnswer(
    outcome,
    'role_not_allowed',
    'room_ended',
    'session_ended',
    'source_not_active',
    'poll_ended',
    'already_voted',
  )
  async vote(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() dto: PollVoteDto) {
    return presentOne('outcome', await this.participants.vote(owner, sessionID, dto));
  }

  @ActsAs('participant')
  @Action('chat.send', 'participant-actions')
  @ApiOperation({ operationId: 'sendChatMessage', summary: 'Send a chat message as the external session' })
  @ApiAnswer(outcome, 'role_not_allowed', 'room_ended', 'session_ended', 'source_not_active', 'not_permitted')
  async say(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() dto: ChatSendDto) {
    const { message, recipientID } = dto;
    const request = { message, recipientID: recipientID ?? undefined };
    return presentOne('outcome', await this.participants.say(owner, sessionID, request));
  }

  @ActsAs('participant')
  @Action('participant.request', 'participant-actions')
  @ApiOperation({
    operationId: 'sendParticipantRequest',
    summary: 'Send a request to the host as the external session',
  })
  @ApiAnswer(outcome, 'role_not_allowed', 'room_ended', 'session_ended', 'source_not_active')
  async ask(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() dto: ParticipantRequestDto) {
    return presentOne('outcome', await this.participants.ask(owner, sessionID, dto));
  }
}
