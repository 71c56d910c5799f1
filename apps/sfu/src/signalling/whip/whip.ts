import { All, Controller, Injectable, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { SignallingRequest } from '@rtms/contracts';
import { DrainState } from '@rtms/node';
import { sendSignallingResponse, SignallingHttp } from '../signalling-http.js';
import type { Room } from '../../rooms/room.js';
import type { SignalledPeer } from '../../rooms/signalled-peer.js';
import { WhipPublication } from '../../rooms/publication.js';
import type { MediaCredential } from '../credential.js';
import type { Endpoint, Opened } from '../endpoint.js';

/** Routes of `/whip/<external session>` and of the session URLs of its publishers. */
@Controller('whip')
export class WhipController {
  constructor(private readonly signalling: SignallingHttp) {}

  @All([':resourceID', ':resourceID/:key'])
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendSignallingResponse(response, await this.signalling.handle(request, response));
  }
}

/** Lets publishers publish into an external session (RFC 9725). */
@Injectable()
export class WhipEndpoint implements Endpoint {
  readonly protocol = 'whip';
  readonly purpose = 'ingest';

  constructor(private readonly drain: DrainState) {}

  async open(
    room: Room,
    sessionID: string,
    request: SignallingRequest,
    { digest, hasBFrames }: MediaCredential,
  ): Promise<Opened> {
    if (this.drain.isDraining) return room.session(sessionID).turnAway();
    const { body: offer, requestID } = request;
    return room.session(sessionID).publish(room.media, { offer, openedBy: digest, requestID, hasBFrames });
  }

  find(room: Room, sessionID: string, key: string): SignalledPeer | undefined {
    const current = room.hasSession(sessionID) ? room.session(sessionID).current : undefined;
    return current instanceof WhipPublication && current.peer.key === key ? current.peer : undefined;
  }

  leave(room: Room, sessionID: string, key: string, requestID: string): Promise<void> {
    return room.publisherLeaves(sessionID, key, requestID);
  }

  describe(): undefined {
    return undefined;
  }
}
