import type { ParticipantRole, Poll, RoomEvent } from '@rtms/contracts';
import { isHost } from './permissions.js';
import type { StoredRoomEvent } from './life.entities.js';

/** A recipient of room events. */
export interface EventViewer {
  participantID: string;
  role: ParticipantRole;
  /** `itself`: the publisher of an external session gets only events about itself. */
  sees: 'room' | 'itself';
}

/**
 * Returns a function that shows the event to a viewer; undefined when the event is not for the viewer. Viewers with the same
 * view get the same object, so the event is encoded once for all of them.
 */
export function showEvent({
  type,
  sequence,
  at,
  body,
  audience,
}: StoredRoomEvent): (viewer: EventViewer) => RoomEvent | undefined {
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

function isAbout(event: RoomEvent, { participantID }: EventViewer): boolean {
  if (event.type === 'participant.left') return event.participantID === participantID;
  return event.type === 'room.ended' || ('participant' in event && event.participant.participantID === participantID);
}

/** The view depends only on whether the viewer is a host. */
function asSeenBy(event: RoomEvent, viewer: Pick<EventViewer, 'role'>): RoomEvent {
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

/** Only hosts see the results of an open poll. */
export function pollViewOf(poll: Poll, { role }: Pick<EventViewer, 'role'>): Poll {
  return poll.state === 'ended' || isHost(role) ? poll : { ...poll, results: null };
}
