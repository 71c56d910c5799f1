import { Inject, Injectable } from '@nestjs/common';
import { ServiceError, sfuCommands, type RoomTrack, type SocketCommands, type TrackSource } from '@rtms/contracts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { mediaBounds, type MediaBounds } from '../nodes/media-bounds.js';
import { NodeMediaService } from './node-media.service.js';
import type { Publisher } from './publishers.service.js';
import { RosterTracksService } from './roster-tracks.service.js';

type RequestOf<Name extends keyof SocketCommands> = SocketCommands[Name]['request'];
type ReplyOf<Name extends keyof SocketCommands> = Promise<SocketCommands[Name]['reply']>;

/** Checks permissions for members' media commands and runs the commands on the media node. */
@Injectable()
export class MediaActionsService {
  constructor(
    private readonly node: NodeMediaService,
    private readonly tracks: RosterTracksService,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {}

  async open(me: Publisher): ReplyOf<'media.open'> {
    const { room, mediaID } = me;
    if (room.settings.type === 'chat')
      throw new ServiceError('not_permitted', 'Rooms of type chat have no audio or video.');
    const routerRtpCapabilities = await this.node.open(room.id, mediaID);
    return { routerRtpCapabilities, iceServers: [...(this.config.iceServers ?? [])], ...boundsOf(me) };
  }

  async openTransport(me: Publisher, { direction }: RequestOf<'media.openTransport'>): ReplyOf<'media.openTransport'> {
    if (direction === 'receive') requireReceiver(me);
    const request = { participantID: me.mediaID, direction };
    const opened = await this.node.ask(me.room.id, sfuCommands.openMemberTransport, request);
    // The media node closes the former send transport together with its tracks.
    if (direction === 'send') await this.tracks.clear(me);
    return opened;
  }

  connectTransport(me: Publisher, request: RequestOf<'media.connectTransport'>): ReplyOf<'media.connectTransport'> {
    return this.node.ask(me.room.id, sfuCommands.connectMemberTransport, { participantID: me.mediaID, ...request });
  }

  restartIce(me: Publisher, { transportID }: RequestOf<'media.restartIce'>): ReplyOf<'media.restartIce'> {
    return this.node.ask(me.room.id, sfuCommands.restartMemberIce, { participantID: me.mediaID, transportID });
  }

  async publish(me: Publisher, request: RequestOf<'media.publish'>): ReplyOf<'media.publish'> {
    requireMayPublish(me, request.source);
    const command = { participantID: me.mediaID, ...request, maxBitrate: boundsOf(me).maxBitrate };
    const { trackID, codec } = await this.node.ask(me.room.id, sfuCommands.publishTrack, command);
    await this.tracks.add(me, { trackID, codec, source: request.source });
    return { trackID };
  }

  async pauseTrack(me: Publisher, { trackID }: RequestOf<'media.pauseTrack'>): ReplyOf<'media.pauseTrack'> {
    requireOwn(me, trackID);
    await this.node.ask(me.room.id, sfuCommands.pauseTrack, { trackID });
    await this.tracks.setState(me, trackID, 'paused');
    return {};
  }

  /** Only the publisher resumes a track, also when a host paused it. */
  async resumeTrack(me: Publisher, { trackID }: RequestOf<'media.resumeTrack'>): ReplyOf<'media.resumeTrack'> {
    requireMayPublish(me, requireOwn(me, trackID).source);
    await this.node.ask(me.room.id, sfuCommands.resumeTrack, { trackID });
    await this.tracks.setState(me, trackID, 'live');
    return {};
  }

  async closeTrack(me: Publisher, { trackID }: RequestOf<'media.closeTrack'>): ReplyOf<'media.closeTrack'> {
    if (!me.tracks.some(track => track.trackID === trackID)) return {};
    await this.node.ask(me.room.id, sfuCommands.closeTrack, { trackID });
    await this.tracks.remove(me, trackID);
    return {};
  }

  subscribe(me: Publisher, request: RequestOf<'media.subscribe'>): ReplyOf<'media.subscribe'> {
    requireReceiver(me);
    return this.node.ask(me.room.id, sfuCommands.subscribe, { participantID: me.mediaID, ...request });
  }

  updateSubscription(me: Publisher, request: RequestOf<'media.updateSubscription'>) {
    requireReceiver(me);
    return this.node.ask(me.room.id, sfuCommands.updateSubscription, { participantID: me.mediaID, ...request });
  }

  unsubscribe(me: Publisher, { subscriptionID }: RequestOf<'media.unsubscribe'>): ReplyOf<'media.unsubscribe'> {
    requireReceiver(me);
    return this.node.ask(me.room.id, sfuCommands.unsubscribe, { participantID: me.mediaID, subscriptionID });
  }
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
