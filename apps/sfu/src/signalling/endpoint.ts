import type { SignallingRequest, SignallingResponse, TokenPurpose } from '@rtms/contracts';
import type { ExtensionCall } from '../whep/viewer-extensions.js';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import type { Credential } from './credential.js';
import type { SignallingRoute } from './signalling-route.js';

/** An offer was taken: what the 201 says. */
export interface Opened {
  peer: SignalledPeer;
  answer: string;
}

/** What WHIP and WHEP do differently; everything else of their signalling is the same. */
export interface Endpoint {
  readonly protocol: SignallingRoute['protocol'];
  readonly purpose: TokenPurpose;
  /** Takes an offer in. */
  open(room: Room, resourceID: string, request: SignallingRequest, credential: Credential): Promise<Opened>;
  /** The live connection of a session URL. */
  find(room: Room, resourceID: string, key: string): SignalledPeer | undefined;
  /** An orderly farewell. */
  leave(room: Room, resourceID: string, key: string, requestID: string): Promise<void>;
  /** What stands in the `Link` header of the 201 beside ICE servers. */
  links?(sessionUrl: string): string;
  /** Serves what is below a session URL. */
  extend?(room: Room, call: Omit<ExtensionCall, 'viewer'>): Promise<SignallingResponse>;
  /** What GET with `Accept: application/json` answers; undefined where there is nothing to tell. */
  describe(room: Room, resourceID: string): object | undefined;
}
