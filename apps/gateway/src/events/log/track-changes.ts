import type { RoomTrack, SessionTrack, TrackState } from '@rtms/contracts';
import type { Row } from './event-data.js';
import type { AccountEventType } from './event-types.js';

type Track = SessionTrack & Partial<Pick<RoomTrack, 'source'>>;
type TrackEventType = Extract<AccountEventType, `track.${string}`>;

interface TrackChange {
  type: TrackEventType;
  data: Row;
}

/** The row of an external session or of a participant, before and after. */
interface Publishers {
  kind: string;
  before: Row | null;
  after: Row | null;
}

/** Decides the events of the tracks of a publisher. The tracks of an external session are in the session, not in its participant. */
export function trackChanges({ kind, before, after }: Publishers): TrackChange[] {
  if (!after || (kind !== 'externalSession' && !(kind === 'participant' && after['kind'] === 'member'))) return [];
  const [was, is] = [tracksOf(before), tracksOf(after)];
  const present = (track: Track): Row => ({
    ...{ trackID: track.trackID, meetingID: after['meetingID'], participantID: after['participantID'] },
    sessionID: kind === 'externalSession' ? after['sessionID'] : null,
    ...{ kind: track.kind, source: track.source ?? null, codec: track.codec, state: track.state },
  });
  const gone = was
    .filter(track => track.state !== 'ended' && !is.some(({ trackID }) => trackID === track.trackID))
    .map(track => ({ type: 'track.ended' as const, data: present({ ...track, state: 'ended' }) }));
  const changed = is.flatMap(track => {
    const former = was.find(({ trackID }) => trackID === track.trackID);
    const type = typeOf(former?.state, track.state);
    return type ? [{ type, data: present(track) }] : [];
  });
  return [...gone, ...changed];
}

function tracksOf(row: Row | null): Track[] {
  return (row?.['tracks'] ?? []) as Track[];
}

/** `from` undefined: the track is new. */
function typeOf(from: TrackState | undefined, to: TrackState): TrackEventType | undefined {
  if (from === to) return undefined;
  if (to === 'ended') return from === undefined ? undefined : 'track.ended';
  if (from === undefined || from === 'ended') return 'track.started';
  return to === 'paused' ? 'track.paused' : 'track.resumed';
}
