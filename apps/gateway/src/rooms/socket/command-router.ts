import { Injectable } from '@nestjs/common';
import { ServiceError, type SocketCommandName, type SocketCommands } from '@rtms/contracts';
import { ChatService } from '../conversation/chat.service.js';
import { HostControlsService } from '../conversation/host-controls.service.js';
import { ParticipantRequestsService } from '../conversation/participant-requests.service.js';
import type { Participant } from '../records/participant.entity.js';
import { PollsService } from '../conversation/polls.service.js';
import { PresenceService } from '../life/presence.service.js';
import type { RoomChange } from '../life/room-change.js';
import { requireCurrent } from '../life/permissions.js';
import { RoomChangesService } from '../life/room-changes.service.js';
import { CommandBudgets } from '../life/command-budgets.js';
import { RoomCommandsRepository } from '../life/room-commands.repository.js';
import { MediaCommandsRegistry, type Actor } from './room-io.js';
import type { AnyCommand } from './command-schemas.js';

type LifeHandlers = {
  [Name in SocketCommandName]?: (
    change: RoomChange,
    me: Participant,
    request: SocketCommands[Name]['request'],
  ) => Promise<SocketCommands[Name]['reply']>;
};
type AnyHandler = (change: RoomChange, me: Participant, request: object) => Promise<object>;

/** Runs the commands of members. A repeated command runs once. */
@Injectable()
export class CommandRouter {
  private readonly handlers: LifeHandlers;

  constructor(
    private readonly changes: RoomChangesService,
    private readonly done: RoomCommandsRepository,
    private readonly budgets: CommandBudgets,
    private readonly media: MediaCommandsRegistry,
    chat: ChatService,
    polls: PollsService,
    requests: ParticipantRequestsService,
    hosts: HostControlsService,
    presence: PresenceService,
  ) {
    this.handlers = {
      'chat.send': (change, me, request) => chat.send(change, me, request),
      'poll.create': (change, me, request) => polls.create(change, me, request),
      'poll.vote': (change, me, request) => polls.vote(change, me, request),
      'poll.end': (change, me, request) => polls.end(change, me, request),
      'participant.request': (change, me, request) => requests.ask(change, me, request),
      'request.decide': (change, me, request) => requests.decide(change, me, request),
      'participant.remove': (change, me, request) => hosts.remove(change, me, request),
      'participant.admit': (change, me, request) => hosts.admit(change, me, request),
      'breakout.assign': (change, me, request) => hosts.assignBreakout(change, me, request),
      'whiteboard.assign': (change, me, request) => hosts.assignWhiteboard(change, me, request),
      leave: async (change, me) => {
        await presence.leave(change, me, 'participant_left');
        return {};
      },
    };
  }

  async perform(actor: Actor, command: AnyCommand): Promise<object> {
    const { commandID, name, request } = command;
    if (actor.sessionID !== undefined && !name.startsWith('media.'))
      return this.performForSession(actor.sessionID, name);
    if (this.media.commands.takes(name)) return this.media.commands.perform(actor, command);
    const handler = this.handlers[name] as AnyHandler | undefined;
    if (!handler) throw new ServiceError('unknown_action', 'There is no command of this name.');
    const key = { participantID: actor.participantID, commandID, name };
    await this.budgets.turn(actor);
    return this.changes.runShared(actor.meetingID, async change => {
      const known = await this.done.find(key, change.manager);
      if (known) return known;
      const reply = await handler(change, requireCurrent(await change.find(actor.participantID), actor), request);
      await this.done.keep(key, reply, change.manager);
      return reply;
    });
  }

  private async performForSession(sessionID: string, name: SocketCommandName): Promise<object> {
    if (name !== 'leave')
      throw new ServiceError('not_permitted', 'The publisher of an external session may only publish.');
    await this.media.commands.publisherLeaves(sessionID);
    return {};
  }
}
