import type { ParticipantRole, RoomTrack, TrackSource } from '@rtms/contracts';
import type { Room } from '../rooms/room.entity.js';

/** Somebody whose media goes over the room socket: a member, or the publisher of an external session. */
export interface Publisher {
  /** By which the media node knows it. */
  mediaID: string;
  room: Room;
  /** undefined: an external session, which receives nothing. */
  role: ParticipantRole | undefined;
  mayPublish: readonly TrackSource[];
  tracks: readonly RoomTrack[];
}
