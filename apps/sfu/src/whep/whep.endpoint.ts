import { Inject, Injectable } from '@nestjs/common';
import type { SignallingRequest, SignallingResponse } from '@rtms/contracts';
import { MEDIA_ENGINE } from '../sfu.tokens.js';
import type { MediaEngine } from '../media/media-engine.js';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import { sessionUrlIsOver } from '../signalling/absent-resources.js';
import type { Credential } from '../signalling/credential.js';
import type { Endpoint, Opened } from '../signalling/endpoint.js';
import { extensionLinks, serveExtension, type ExtensionCall } from './viewer-extensions.js';

/** Watching a playback (draft-ietf-wish-whep). */
@Injectable()
export class WhepEndpoint implements Endpoint {
  readonly protocol = 'whep';
  readonly purpose = 'playback';

  constructor(@Inject(MEDIA_ENGINE) private readonly engine: MediaEngine) {}

  async open(room: Room, playbackID: string, request: SignallingRequest, { digest }: Credential): Promise<Opened> {
    const { body: offer, requestID } = request;
    return room.watch(playbackID, { offer, openedBy: digest, requestID });
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

  async extend(room: Room, call: Omit<ExtensionCall, 'viewer'>): Promise<SignallingResponse> {
    const { resourceID, key = '' } = call.route;
    const viewer = room.playback(resourceID).viewer(key);
    if (!viewer) throw sessionUrlIsOver();
    return serveExtension({ ...call, viewer });
  }

  /** The numbers that a player's offer must have. Throws when the playback is not there. */
  describe(room: Room, playbackID: string): object {
    room.playback(playbackID);
    return { success: true, payloadProfile: this.engine.payloadProfile };
  }
}
