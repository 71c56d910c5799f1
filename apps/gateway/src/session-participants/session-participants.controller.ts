import { Body, Controller, Get, Param } from '@nestjs/common';
import { ActsAs, RequireOperation } from '../auth/auth.decorators.js';
import { Action } from '../http/action.decorator.js';
import { Answers, one } from '../http/answers.js';
import { presentOne } from '../http/present.js';
import { CurrentOwner } from '../media/current-owner.decorator.js';
import type { Owner } from '../media/owned-rows.js';
import { ChatSendDto } from './dto/chat-send.dto.js';
import { ParticipantRequestDto } from './dto/participant-request.dto.js';
import { PollVoteDto } from './dto/poll-vote.dto.js';
import { outcomeSchema, participantStateSchema } from './present-participant-state.js';
import { SessionParticipants } from './session-participants.service.js';

const outcome = one('outcome', outcomeSchema);

@Controller('v1/meetings/:meetingID/external-sessions/:sessionID')
@RequireOperation('ingestMedia')
export class SessionParticipantsController {
  constructor(private readonly participants: SessionParticipants) {}

  @Get('participant-state')
  @Answers(one('participantState', participantStateSchema))
  async state(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string) {
    return presentOne('participantState', await this.participants.state(owner, sessionID));
  }

  @ActsAs('participant')
  @Action('poll.vote', 'participant-actions')
  @Answers(
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
  @Answers(outcome, 'role_not_allowed', 'room_ended', 'session_ended', 'source_not_active', 'not_permitted')
  async say(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() dto: ChatSendDto) {
    const { message, recipientID } = dto;
    const request = { message, recipientID: recipientID ?? undefined };
    return presentOne('outcome', await this.participants.say(owner, sessionID, request));
  }

  @ActsAs('participant')
  @Action('participant.request', 'participant-actions')
  @Answers(outcome, 'role_not_allowed', 'room_ended', 'session_ended', 'source_not_active')
  async ask(@CurrentOwner() owner: Owner, @Param('sessionID') sessionID: string, @Body() dto: ParticipantRequestDto) {
    return presentOne('outcome', await this.participants.ask(owner, sessionID, dto));
  }
}
