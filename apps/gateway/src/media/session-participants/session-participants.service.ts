import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { externalSessionTransitions, isFinal, ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { ChatService, type ChatRequest } from '../../rooms/conversation/chat.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { findOwned, type Owner } from '../resources/owned-rows.js';
import { ParticipantRequestsService } from '../../rooms/conversation/participant-requests.service.js';
import { ParticipantsService, type Participant } from '../../rooms/records/participants.service.js';
import { PollsService } from '../../rooms/conversation/polls.service.js';
import { CommandBudgets } from '../../rooms/life/command-budgets.js';
import type { RoomChange } from '../../rooms/life/room-change.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { shownStateOf } from '../external-sessions/session-roster.service.js';
import type {
  ParticipantRequestDto,
  PollVoteDto,
  PresentedOutcome,
  PresentedParticipantState,
} from './session-participant.dto.js';

/** Lets applications act as external sessions over HTTP. The path names the session that acts. */
@Injectable()
export class SessionParticipantsService {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly changes: RoomChangesService,
    private readonly budgets: CommandBudgets,
    private readonly chat: ChatService,
    private readonly polls: PollsService,
    private readonly requests: ParticipantRequestsService,
    private readonly participants: ParticipantsService,
  ) {}

  async state(owner: Owner, sessionID: string): Promise<PresentedParticipantState> {
    const session = await this.find(owner, sessionID);
    const { manager } = this.sessions;
    const { participantID, meetingID, state } = session;
    const row = await this.participants.findOfSession(sessionID);
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
    if (isFinal(externalSessionTransitions, session.state)) throw new ServiceError('session_ended');
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
