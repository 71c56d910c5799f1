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

/**
 * Shows an event to many: returns it as a viewer sees it, undefined when it is for others. Viewers who see the same get
 * the same object, so that it is encoded once for all of them.
 */
export function showEvent({
  type,
  sequence,
  at,
  body,
  audience,
}: StoredRoomEvent): (viewer: Viewer) => RoomEvent | undefined {
  const event = { type, sequence, at: at.toISOString(), ...body } as RoomEvent;
  const views = new Map<boolean, RoomEvent>();
  return viewer => {
    if (audience && !audience.includes(viewer.participantID)) return undefined;
    if (viewer.sees === 'itself' && !isAbout(event, viewer)) return undefined;
    const ofHosts = isHost(viewer.role);
    const view = views.get(ofHosts) ?? asSeenBy(event, viewer);
    views.set(ofHosts, view);
    return view;
  };
}

function isAbout(event: RoomEvent, { participantID }: Viewer): boolean {
  if (event.type === 'participant.left') return event.participantID === participantID;
  return event.type === 'room.ended' || ('participant' in event && event.participant.participantID === participantID);
}

/** Depends on nothing of the viewer but whether it is a host. */
function asSeenBy(event: RoomEvent, viewer: Pick<Viewer, 'role'>): RoomEvent {
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
