import type { RoomTrack, SessionTrack, TrackSource } from '@rtms/contracts';
import type { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { Participant } from '../participants/participant.entity.js';

export type SessionState = Pick<ExternalSession, 'state' | 'activatedAt' | 'tracks' | 'health' | 'endReason'>;
export type ShownState = Pick<Participant, 'isConnected' | 'tracks' | 'health'>;

/** What the roster shows of an external session: nothing before it was active once, nothing after its end. */
export function shownStateOf({ state, activatedAt, tracks, health }: SessionState): ShownState | undefined {
  if (activatedAt === null || state === 'ended' || state === 'failed') return undefined;
  const shown = tracks.filter(track => track.state !== 'ended');
  return { isConnected: state === 'active', tracks: shown.map(toRoomTrack), health };
}

/** An encoder says what kind a track is, not what it shows. */
export function sourceOfSessionTrack({ kind }: Pick<SessionTrack, 'kind'>): TrackSource {
  return kind === 'audio' ? 'microphone' : 'camera';
}

function toRoomTrack(track: SessionTrack): RoomTrack {
  const { trackID, kind, codec, state } = track;
  return { trackID, kind, source: sourceOfSessionTrack(track), codec, state };
}

export function isShownAlready(row: ShownState, { isConnected, tracks, health }: ShownState): boolean {
  const before = { isConnected: row.isConnected, tracks: row.tracks.map(sameOrder), health: row.health };
  return JSON.stringify(before) === JSON.stringify({ isConnected, tracks: tracks.map(sameOrder), health });
}

/** The database gives the members of an object back in an order of its own. */
function sameOrder({ trackID, kind, source, codec, state }: RoomTrack): RoomTrack {
  return { trackID, kind, source, codec, state };
}
