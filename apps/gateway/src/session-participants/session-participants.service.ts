import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { externalSessionTransitions, isFinal, ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { ChatService, type ChatRequest } from '../chat/chat.service.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { findOwned, type Owner } from '../media/owned-rows.js';
import { ParticipantRequests } from '../participant-requests/participant-requests.service.js';
import { Participant } from '../participants/participant.entity.js';
import { PollsService } from '../polls/polls.service.js';
import { CommandBudgets } from '../room-life/command-budgets.js';
import type { RoomChange } from '../room-life/room-change.js';
import { RoomChanges } from '../room-life/room-changes.service.js';
import { shownStateOf } from '../room-life/session-roster-entry.js';
import type { ParticipantRequestDto } from './dto/participant-request.dto.js';
import type { PollVoteDto } from './dto/poll-vote.dto.js';
import type { PresentedOutcome, PresentedParticipantState } from './present-participant-state.js';

/** External sessions as participants, for applications that ask by HTTP. Who acts is the session, never the caller's say. */
@Injectable()
export class SessionParticipants {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly changes: RoomChanges,
    private readonly budgets: CommandBudgets,
    private readonly chat: ChatService,
    private readonly polls: PollsService,
    private readonly requests: ParticipantRequests,
  ) {}

  async state(owner: Owner, sessionID: string): Promise<PresentedParticipantState> {
    const session = await this.find(owner, sessionID);
    const { manager } = this.sessions;
    const { participantID, meetingID, state } = session;
    const row = await manager.findOneBy(Participant, { sessionID });
    const { isConnected, tracks, health } = shownStateOf(session) ?? nothingShown;
    return {
      sessionID,
      participantID,
      state,
      media: { isConnected, tracks, health },
      chat: await this.chat.recent(manager, meetingID, participantID),
      polls: await this.polls.list(manager, meetingID, { role: 'participant' }),
      requests: row?.requests ?? [],
      breakout: row?.breakout ?? null,
      whiteboard: row?.whiteboard ?? null,
    };
  }

  async vote(owner: Owner, sessionID: string, dto: PollVoteDto): Promise<PresentedOutcome> {
    await this.act(owner, sessionID, (change, row) => this.polls.vote(change, row, dto));
    return { action: 'poll.vote', status: 'accepted' };
  }

  async say(owner: Owner, sessionID: string, request: ChatRequest): Promise<PresentedOutcome> {
    const { messageID } = await this.act(owner, sessionID, (change, row) => this.chat.send(change, row, request));
    return { action: 'chat.send', status: 'accepted', messageID };
  }

  async ask(owner: Owner, sessionID: string, dto: ParticipantRequestDto): Promise<PresentedOutcome> {
    const request = { request: dto.request, active: dto.active ?? true };
    const { status } = await this.act(owner, sessionID, (change, row) => this.requests.ask(change, row, request));
    return { action: 'participant.request', status };
  }

  private async act<Result>(
    owner: Owner,
    sessionID: string,
    work: (change: RoomChange, row: Participant) => Promise<Result>,
  ): Promise<Result> {
    const session = await this.find(owner, sessionID);
    if (isFinal(externalSessionTransitions, session.state))
      throw new ServiceError('session_ended', 'The external session has ended.');
    await this.budgets.turn(owner);
    return this.changes.runShared(owner.meetingID, async change => {
      const row = await change.find(session.participantID);
      if (!row) throw new ServiceError('source_not_active', 'The external session is not active yet.');
      return work(change, row);
    });
  }

  private find(owner: Owner, sessionID: string): Promise<ExternalSession> {
    return findOwned(this.sessions, owner, sessionID, 'external session');
  }
}

const nothingShown = { isConnected: false, tracks: [], health: [] };
