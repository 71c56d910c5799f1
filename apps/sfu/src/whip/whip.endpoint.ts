import { Injectable } from '@nestjs/common';
import type { SignallingRequest } from '@rtms/contracts';
import { DrainState } from '@rtms/health';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import { WhipPublication } from '../rooms/whip-publication.js';
import type { Credential } from '../signalling/credential.js';
import type { Endpoint, Opened } from '../signalling/endpoint.js';

/** Publishing into an external session (RFC 9725). */
@Injectable()
export class WhipEndpoint implements Endpoint {
  readonly protocol = 'whip';
  readonly purpose = 'ingest';

  constructor(private readonly drain: DrainState) {}

  async open(room: Room, sessionID: string, request: SignallingRequest, { digest }: Credential): Promise<Opened> {
    if (this.drain.isDraining) return room.session(sessionID).turnAway();
    const { body: offer, requestID } = request;
    return room.publish(sessionID, { offer, openedBy: digest, requestID });
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
