import type { RoomEvent } from '@rtms/contracts';
import type { MediaState } from './media/room-media.js';
import type { RtmsError } from './rtms-error.js';
import type { Farewell } from './signalling/room-connection.js';
import type { RoomState } from './state/room-state.js';

/** `reconnecting`: what is asked for waits, and what happened meanwhile follows in order. */
export type ConnectionState = 'connecting' | 'connected' | 'reconnecting' | 'closed';

/** What changed the room, each after `room.state` has it. */
type LifeEvents = { [Type in RoomEvent['type']]: Extract<RoomEvent, { type: Type }> };

export interface RoomEventMap extends LifeEvents {
  /** After every change, also when a reconnection brought the state anew. */
  'state.changed': RoomState;
  /** null: silence. */
  'speaker.changed': { participantID: string | null };
  'connection.changed': { state: ConnectionState };
  'media.changed': { state: MediaState };
  /** The room is over for this member: `leave`, removal, its end, or another connection of the same participant. */
  farewell: { reason: Farewell['reason'] } | { error: RtmsError };
}
