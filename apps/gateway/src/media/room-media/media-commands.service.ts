import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  externalSessionTransitions,
  isFinal,
  ServiceError,
  sfuCommands,
  type JoinToken,
  type RoomTrack,
  type SocketCommandName,
  type SocketCommands,
  type TrackSource,
} from '@rtms/contracts';
import { HostControlsService } from '../../rooms/conversation/host-controls.service.js';
import { requireCurrent, type Speaker } from '../../rooms/life/permissions.js';
import { noteChange } from '../../platform/changes/announcing-query-runner.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { RoomCommandsRepository } from '../../rooms/life/room-commands.repository.js';
import { RoomEventsRepository } from '../../rooms/life/room-events.repository.js';
import type { AnyCommand } from '../../rooms/socket/command-schemas.js';
import { MediaCommandsRegistry, type Actor, type Admission, type MediaCommands } from '../../rooms/socket/room-io.js';
import { SessionLifecycleService } from '../external-sessions/session-lifecycle.service.js';
import { mediaBounds, type MediaBounds } from '../nodes/media-bounds.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { NodeMediaService } from './node-media.service.js';
import { changeTracks, PublishersService, type Publisher } from './publishers.service.js';

type MediaCommandName = Extract<SocketCommandName, `media.${string}`>;
type MediaHandlers = {
  [Name in MediaCommandName]: (
    me: Publisher,
    request: SocketCommands[Name]['request'],
  ) => Promise<SocketCommands[Name]['reply']>;
};
type AnyHandler = (me: Publisher, request: object) => Promise<object>;

/** Checks permissions for the media commands of the room socket and runs them on media nodes, without a lock on the room. */
@Injectable()
export class MediaCommandsService implements MediaCommands, OnModuleInit {
  private readonly handlers: MediaHandlers = {
    'media.open': async me => {
      const { room, mediaID } = me;
      if (room.settings.type === 'chat')
        throw new ServiceError('not_permitted', 'Rooms of type chat have no audio or video.');
      const routerRtpCapabilities = await this.node.open(room.id, mediaID);
      return { routerRtpCapabilities, ...boundsOf(me) };
    },

    'media.openTransport': async (me, { direction }) => {
      if (direction === 'receive') requireReceiver(me);
      const request = { participantID: me.mediaID, direction };
      const opened = await this.node.ask(me.room.id, sfuCommands.openMemberTransport, request);
      // The media node closes the former send transport together with its tracks.
      if (direction === 'send') await this.publishers.changeTracks(me, () => []);
      return opened;
    },

    'media.connectTransport': (me, request) =>
      this.node.ask(me.room.id, sfuCommands.connectMemberTransport, { participantID: me.mediaID, ...request }),

    'media.restartIce': (me, { transportID }) =>
      this.node.ask(me.room.id, sfuCommands.restartMemberIce, { participantID: me.mediaID, transportID }),

    'media.publish': async (me, request) => {
      requireMayPublish(me, request.source);
      const command = { participantID: me.mediaID, ...request, maxBitrate: boundsOf(me).maxBitrate };
      const { trackID, codec } = await this.node.ask(me.room.id, sfuCommands.publishTrack, command);
      await this.publishers.addTrack(me, { trackID, codec, source: request.source });
      return { trackID };
    },

    'media.pauseTrack': async (me, { trackID }) => {
      requireOwn(me, trackID);
      await this.node.ask(me.room.id, sfuCommands.pauseTrack, { trackID });
      await this.publishers.changeTracks(me, withState(trackID, 'paused'));
      return {};
    },

    /** Only the publisher resumes a track, also when a host paused it. */
    'media.resumeTrack': async (me, { trackID }) => {
      requireMayPublish(me, requireOwn(me, trackID).source);
      await this.node.ask(me.room.id, sfuCommands.resumeTrack, { trackID });
      await this.publishers.changeTracks(me, withState(trackID, 'live'));
      return {};
    },

    'media.closeTrack': async (me, { trackID }) => {
      if (!me.tracks.some(track => track.trackID === trackID)) return {};
      await this.node.ask(me.room.id, sfuCommands.closeTrack, { trackID });
      await this.publishers.changeTracks(me, tracks => tracks.filter(each => each.trackID !== trackID));
      return {};
    },

    'media.subscribe': async (me, request) => {
      requireReceiver(me);
      return this.node.ask(me.room.id, sfuCommands.subscribe, { participantID: me.mediaID, ...request });
    },

    'media.updateSubscription': async (me, request) => {
      requireReceiver(me);
      return this.node.ask(me.room.id, sfuCommands.updateSubscription, { participantID: me.mediaID, ...request });
    },

    'media.unsubscribe': async (me, { subscriptionID }) => {
      requireReceiver(me);
      return this.node.ask(me.room.id, sfuCommands.unsubscribe, { participantID: me.mediaID, subscriptionID });
    },
  };

  constructor(
    private readonly publishers: PublishersService,
    private readonly node: NodeMediaService,
    private readonly hosts: HostControlsService,
    private readonly done: RoomCommandsRepository,
    private readonly changes: RoomChangesService,
    private readonly events: RoomEventsRepository,
    private readonly sessions: SessionLifecycleService,
    private readonly room: MediaCommandsRegistry,
  ) {}

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
    return this.changes.run(meetingID, async ({ manager }) => {
      const session = await manager.findOneBy(ExternalSession, { id, meetingID, protocol: 'service-webrtc' });
      if (!session || isFinal(externalSessionTransitions, session.state)) throw new ServiceError('session_ended');
      const { participantID, accountID } = session;
      const role = 'participant' as const;
      const sequence = await this.events.lastSequence(manager, meetingID);
      const snapshot = { meetingID, roster: [], chat: [], polls: [] };
      noteChange(manager, { kind: 'connection', id: connectionID, accountID, participantID });
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
    if (name === 'participant.mute') return this.mute(actor, request);
    const handler = this.handlers[name as MediaCommandName] as AnyHandler;
    return handler(await this.publishers.find(actor), request);
  }

  /** A host pauses the track of another participant. Only its publisher can resume the track. */
  private async mute(host: Speaker, { participantID, source }: SocketCommands['participant.mute']['request']) {
    const { trackID, state } = await this.changes.run(host.meetingID, async change => {
      const actor = requireCurrent(await change.find(host.participantID), host);
      const row = await this.hosts.requireControlled(change, actor, participantID);
      const track = row.tracks.find(each => each.source === source);
      if (!track) throw new ServiceError('not_found', `The participant publishes no ${source}.`);
      return track;
    });
    if (state === 'paused') return {};
    await this.node.ask(host.meetingID, sfuCommands.pauseTrack, { trackID });
    await this.changes.run(host.meetingID, async change => {
      const row = await change.find(participantID);
      if (row) await changeTracks(change, row, withState(trackID, 'paused'));
    });
    return {};
  }
}

function withState(trackID: string, state: RoomTrack['state']): (tracks: RoomTrack[]) => RoomTrack[] {
  return tracks => tracks.map(each => (each.trackID === trackID ? { ...each, state } : each));
}

function requireMayPublish({ mayPublish }: Publisher, source: TrackSource): void {
  if (mayPublish.includes(source)) return;
  throw new ServiceError('not_permitted', `You may not publish ${source} in this room. Ask a host.`);
}

/** The event settings limit members, but not external sessions, which belong to the application. */
function boundsOf({ role, room }: Publisher): MediaBounds {
  return mediaBounds(role === undefined ? 'qhd' : room.settings.targetResolution);
}

function requireReceiver({ role }: Publisher): void {
  if (role === undefined) throw new ServiceError('not_permitted', 'An external session receives nothing.');
}

function requireOwn({ tracks }: Publisher, trackID: string): RoomTrack {
  const track = tracks.find(each => each.trackID === trackID);
  if (!track) throw new ServiceError('not_found', 'You publish no such track.');
  return track;
}
