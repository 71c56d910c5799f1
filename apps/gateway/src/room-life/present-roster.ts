import type { RosterEntry, TrackSource } from '@rtms/contracts';
import type { Participant } from '../participants/participant.entity.js';
import type { Room } from '../rooms/room.entity.js';
import { mayPublish } from './permissions.js';

export function presentRosterEntry(row: Participant, { settings }: Pick<Room, 'settings'>): RosterEntry {
  return {
    participantID: row.id,
    kind: row.kind,
    userName: row.userName,
    role: row.role,
    isConnected: row.isConnected,
    tracks: row.tracks,
    mayPublish: row.kind === 'member' ? mayPublish(settings, row) : sourcesOf(row),
    requests: row.requests,
    breakout: row.breakout,
    whiteboard: row.whiteboard,
    health: row.health,
  };
}

/** An external session publishes what it was created for; what it sends is all that is known of that here. */
function sourcesOf({ tracks }: Participant): TrackSource[] {
  return tracks.map(track => track.source);
}
