import { Injectable } from '@nestjs/common';
import type { SocketCommandName, SocketCommands } from '@rtms/contracts';
import { MemberMedia } from '../room-media/member-media.service.js';
import { MuteService } from '../room-media/mute.service.js';
import { Publishers } from '../room-media/publishers.service.js';
import type { Publisher } from '../room-media/publisher.js';
import { RoomCommandsStore } from '../room-life/room-commands.store.js';
import type { Actor } from './actor.js';
import type { AnyCommand } from './command-schemas.js';

type MediaCommandName = Extract<SocketCommandName, `media.${string}`>;
type MediaHandlers = {
  [Name in MediaCommandName]: (
    me: Publisher,
    request: SocketCommands[Name]['request'],
  ) => Promise<SocketCommands[Name]['reply']>;
};
type AnyHandler = (me: Publisher, request: object) => Promise<object>;

/** Commands that a media node carries out; a room is not locked while it does. */
@Injectable()
export class MediaRouter {
  private readonly handlers: MediaHandlers;

  constructor(
    private readonly publishers: Publishers,
    private readonly muting: MuteService,
    private readonly done: RoomCommandsStore,
    media: MemberMedia,
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

  /** Whether it is done here. */
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

  private async carryOut(actor: Actor, { name, request }: AnyCommand): Promise<object> {
    if (name === 'participant.mute') return this.muting.mute(actor, request);
    const handler = this.handlers[name as MediaCommandName] as AnyHandler;
    return handler(await this.publishers.find(actor), request);
  }
}
