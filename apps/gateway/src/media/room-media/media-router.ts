import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  externalSessionTransitions,
  isFinal,
  ServiceError,
  type JoinToken,
  type SocketCommandName,
  type SocketCommands,
} from '@rtms/contracts';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { RoomCommandsRepository } from '../../rooms/life/room-commands.repository.js';
import { RoomEventsRepository } from '../../rooms/life/room-events.repository.js';
import type { AnyCommand } from '../../rooms/socket/command-schemas.js';
import type { Actor, Admission } from '../../rooms/socket/room-io.js';
import { RoomMedia, type MediaCommands } from '../../rooms/socket/room-media.js';
import { SessionLifecycleService } from '../external-sessions/session-lifecycle.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { MediaActionsService } from './media-actions.service.js';
import { MuteService } from './mute.service.js';
import { PublishersService, type Publisher } from './publishers.service.js';

type MediaCommandName = Extract<SocketCommandName, `media.${string}`>;
type MediaHandlers = {
  [Name in MediaCommandName]: (
    me: Publisher,
    request: SocketCommands[Name]['request'],
  ) => Promise<SocketCommands[Name]['reply']>;
};
type AnyHandler = (me: Publisher, request: object) => Promise<object>;

/** Runs the media commands of the room socket on media nodes, without a lock on the room. */
@Injectable()
export class MediaRouter implements MediaCommands, OnModuleInit {
  private readonly handlers: MediaHandlers;

  constructor(
    private readonly publishers: PublishersService,
    private readonly muting: MuteService,
    private readonly done: RoomCommandsRepository,
    private readonly changes: RoomChangesService,
    private readonly events: RoomEventsRepository,
    private readonly sessions: SessionLifecycleService,
    private readonly room: RoomMedia,
    media: MediaActionsService,
  ) {
    this.handlers = {
      'media.open': me => media.open(me),
      'media.openTransport': (me, request) => media.openTransport(me, request),
      'media.connectTransport': (me, request) => media.connectTransport(me, request),
      'media.restartIce': (me, request) => media.restartIce(me, request),
      'media.publish': (me, request) => media.publish(me, request),
      'media.pauseTrack': (me, request) => media.pauseTrack(me, request),
      'media.resumeTrack': (me, request) => media.resumeTrack(me, request),
      'media.closeTrack': (me, request) => media.closeTrack(me, request),
      'media.subscribe': (me, request) => media.subscribe(me, request),
      'media.updateSubscription': (me, request) => media.updateSubscription(me, request),
      'media.unsubscribe': (me, request) => media.unsubscribe(me, request),
    };
  }

  onModuleInit(): void {
    this.room.register(this);
  }

  takes(name: SocketCommandName): boolean {
    return name === 'participant.mute' || Object.hasOwn(this.handlers, name);
  }

  async perform(actor: Actor, command: AnyCommand): Promise<object> {
    const { commandID, name } = command;
    const key = { participantID: actor.participantID, commandID, name };
    const known = await this.done.find(key);
    if (known) return known;
    const reply = await this.carryOut(actor, command);
    await this.done.keep(key, reply);
    return reply;
  }

  /** The publisher sees nothing of the room but itself. */
  admitPublisher(token: JoinToken, connectionID: string): Promise<Admission> {
    const { meetingID, resourceID: id, expiresAt: tokenExpiresAt } = token;
    return this.changes.run(meetingID, async ({ manager, notices }) => {
      const session = await manager.findOneBy(ExternalSession, { id, meetingID, protocol: 'service-webrtc' });
      if (!session || isFinal(externalSessionTransitions, session.state))
        throw new ServiceError('session_ended', 'The external session has ended.');
      const { participantID, accountID } = session;
      const role = 'participant' as const;
      const sequence = await this.events.lastSequence(manager, meetingID);
      const snapshot = { meetingID, roster: [], chat: [], polls: [] };
      notices.push({ kind: 'connected', participantID, connectionID });
      return {
        actor: { participantID, meetingID, accountID, connectionID, role, sessionID: id },
        welcome: { participantID, role, snapshot, sequence },
        sequence,
        tokenExpiresAt,
      };
    });
  }

  publisherLeaves(sessionID: string): Promise<void> {
    return this.sessions.publisherLeaves(sessionID);
  }

  private async carryOut(actor: Actor, { name, request }: AnyCommand): Promise<object> {
    if (name === 'participant.mute') return this.muting.mute(actor, request);
    const handler = this.handlers[name as MediaCommandName] as AnyHandler;
    return handler(await this.publishers.find(actor), request);
  }
}
