import type { ParticipantRole, Poll, RoomEvent } from '@rtms/contracts';
import { isHost } from './permissions.js';
import type { StoredRoomEvent } from './room-event.entity.js';

/** Who looks. */
export interface Viewer {
  participantID: string;
  role: ParticipantRole;
  /** The publisher of an external session is told of itself alone. */
  sees: 'room' | 'itself';
}

/** An event as one of the room sees it; undefined when it is for others. */
export function viewOf(stored: StoredRoomEvent, viewer: Viewer): RoomEvent | undefined {
  const { type, sequence, at, body, audience } = stored;
  if (audience && !audience.includes(viewer.participantID)) return undefined;
  const event = { type, sequence, at: at.toISOString(), ...body } as RoomEvent;
  return viewer.sees === 'itself' && !isAbout(event, viewer) ? undefined : asSeenBy(event, viewer);
}

function isAbout(event: RoomEvent, { participantID }: Viewer): boolean {
  if (event.type === 'participant.left') return event.participantID === participantID;
  return event.type === 'room.ended' || ('participant' in event && event.participant.participantID === participantID);
}

function asSeenBy(event: RoomEvent, viewer: Viewer): RoomEvent {
  switch (event.type) {
    case 'poll.created':
    case 'poll.ended':
      return { ...event, poll: pollViewOf(event.poll, viewer) };
    case 'poll.voted':
      return { ...event, results: isHost(viewer.role) ? event.results : null };
    case 'participant.joined':
    case 'participant.changed':
    case 'participant.left':
    case 'chat.message':
    case 'room.ended':
      return event;
    default:
      return event satisfies never;
  }
}

/** Results of an open poll are for hosts. */
export function pollViewOf(poll: Poll, { role }: Pick<Viewer, 'role'>): Poll {
  return poll.state === 'ended' || isHost(role) ? poll : { ...poll, results: null };
}
