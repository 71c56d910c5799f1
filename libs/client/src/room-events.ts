import type { RoomEvent } from '@rtms/contracts';
import type { MediaState } from './media/room-media.js';
import type { RtmsError } from './signalling/rtms-error.js';
import type { Farewell } from './signalling/room-connection.js';
import type { RoomState } from './state/room-state.js';

/** `reconnecting`: commands wait, and missed events follow in order. */
export type ConnectionState = 'connecting' | 'connected' | 'reconnecting' | 'closed';

/** Events of the room. `room.state` already includes the change. */
type LifeEvents = { [Type in RoomEvent['type']]: Extract<RoomEvent, { type: Type }> };

export interface RoomEventMap extends LifeEvents {
  /** The state changed, also by a new snapshot after a reconnection. */
  'state.changed': RoomState;
  /** The current speaker; null in silence. */
  'speaker.changed': { participantID: string | null };
  'connection.changed': { state: ConnectionState };
  'media.changed': { state: MediaState };
  /** The room has ended for this member: `leave`, removal, end of the room, or another connection of the same participant. */
  farewell: { reason: Farewell['reason'] } | { error: RtmsError };
}
