import { All, Controller, Inject, Injectable, Req, Res } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { Request, Response } from 'express';
import { CLOCK } from '@rtms/node';
import type { SignallingRequest, SignallingResponse } from '@rtms/contracts';
import { sendSignallingResponse, SignallingHttp } from '../signalling-http.js';
import { MEDIA_ENGINE, type MediaEngine } from '../../media/media-engine.js';
import { RoomRegistry } from '../../rooms/room-registry.js';
import type { Room } from '../../rooms/room.js';
import type { SignalledPeer } from '../../rooms/signalled-peer.js';
import { sessionUrlIsOver } from '../absent-resources.js';
import type { MediaCredential } from '../credential.js';
import { type Endpoint, type ExtensionRequest, type Opened, parseSignallingPath } from '../endpoint.js';
import type { ViewerEvents } from '../../rooms/viewer-events.js';
import { extensionLinks, proxyEvents, sendEvents, serveExtension, streamOriginHeader } from './viewer-extensions.js';

/** Routes of `/whep/<playback>` and of the session URLs of its viewers. */
@Controller('whep')
export class WhepController {
  constructor(
    private readonly http: SignallingHttp,
    private readonly rooms: RoomRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @All([
    ':resourceID',
    ':resourceID/:key',
    ':resourceID/:key/layer',
    ':resourceID/:key/events',
    ':resourceID/:key/events/:stream',
  ])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    const reply = await this.http.handle(request, response);
    const origin = reply.headers[streamOriginHeader];
    if (origin === undefined) return sendSignallingResponse(response, reply);
    const own = this.eventsOf(request.path);
    if (own) sendEvents(response, own.events, own.stream, this.clock);
    else await proxyEvents(request, response, origin);
  }

  /** The events of a viewer whose room this node holds. */
  eventsOf(path: string): { events: ViewerEvents; stream: string } | undefined {
    const { resourceID = '', key = '', stream = '' } = parseSignallingPath(path) ?? {};
    const viewer = this.rooms.roomOfPlayback(resourceID)?.playback(resourceID).viewer(key);
    return viewer && { events: viewer.events, stream };
  }
}

/** Lets viewers watch a playback (draft-ietf-wish-whep). */
@Injectable()
export class WhepEndpoint implements Endpoint {
  readonly protocol = 'whep';
  readonly purpose = 'playback';

  constructor(@Inject(MEDIA_ENGINE) private readonly engine: MediaEngine) {}

  async open(room: Room, playbackID: string, request: SignallingRequest, { digest }: MediaCredential): Promise<Opened> {
    const { body: offer, requestID } = request;
    return room.playback(playbackID).watch(room.media, { offer, openedBy: digest, requestID });
  }

  find(room: Room, playbackID: string, key: string): SignalledPeer | undefined {
    return room.hasPlayback(playbackID) ? room.playback(playbackID).viewer(key)?.peer : undefined;
  }

  leave(room: Room, playbackID: string, key: string, requestID: string): Promise<void> {
    return room.viewerLeaves(playbackID, key, requestID);
  }

  links(sessionUrl: string): string {
    return extensionLinks(sessionUrl);
  }

  async extend(room: Room, call: ExtensionRequest): Promise<SignallingResponse> {
    const { resourceID, key = '' } = call.route;
    const viewer = room.playback(resourceID).viewer(key);
    if (!viewer) throw sessionUrlIsOver();
    return serveExtension({ ...call, viewer });
  }

  /** The payload types that a player's offer must use. Throws `not_found` if the playback does not exist. */
  describe(room: Room, playbackID: string): object {
    room.playback(playbackID);
    return { success: true, payloadProfile: this.engine.payloadProfile };
  }
}
