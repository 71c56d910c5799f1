import {
  canTransition,
  externalSessionTransitions,
  type ExternalSessionFact,
  type ExternalSessionState,
  type SessionTrack,
} from '@rtms/contracts';
import { graceEnd, type FactTiming, type RowChange } from '../media/fact-decision.js';
import type { ExternalSession } from './external-session.entity.js';

export type SessionEffect = 'activated' | 'interrupted' | 'ended' | 'none';
export type SessionChange = RowChange<ExternalSession, SessionEffect>;
type SessionRow = Pick<ExternalSession, 'state' | 'tracks' | 'activatedAt'>;

/** What a fact that counts (see `isCurrent`) does to a session; `ignored` when its state leaves no way there. */
export function decideSessionFact(
  row: SessionRow,
  fact: ExternalSessionFact,
  timing: FactTiming,
): SessionChange | 'ignored' {
  switch (fact.type) {
    case 'external_session.active':
      return activate(row, fact.tracks, timing);
    case 'external_session.interrupted':
      return reaches(row, 'pending') ? { set: interrupted(timing), effect: 'interrupted' } : 'ignored';
    case 'external_session.health':
      return row.state === 'active' || row.state === 'pending' ? { set: healthOf(fact), effect: 'none' } : 'ignored';
    case 'external_session.ended':
      return reaches(row, 'ended') ? { set: endedSession(row, fact.reason, timing.at), effect: 'ended' } : 'ignored';
    default:
      return fact satisfies never;
  }
}

function reaches(row: SessionRow, state: ExternalSessionState): boolean {
  return canTransition(externalSessionTransitions, row.state, state);
}

function activate(row: SessionRow, tracks: SessionTrack[], { at }: FactTiming): SessionChange | 'ignored' {
  // A second report while active is news about its tracks.
  if (row.state === 'active') return { set: { tracks: withClosed(tracks, row) }, effect: 'none' };
  if (!reaches(row, 'active')) return 'ignored';
  const activatedAt = row.activatedAt ?? at;
  return { set: { state: 'active', tracks, activatedAt, graceUntil: null }, effect: 'activated' };
}

/** What was closed stays listed, also when its node tells of it no more. */
function withClosed(tracks: SessionTrack[], row: SessionRow): SessionTrack[] {
  const isTold = ({ trackID }: SessionTrack) => tracks.some(each => each.trackID === trackID);
  return [...tracks, ...row.tracks.filter(track => track.state === 'ended' && !isTold(track))];
}

/** The publisher may come back until the grace time is over. */
export function interrupted(timing: Pick<FactTiming, 'now' | 'graceMs'>): SessionChange['set'] {
  return { state: 'pending', graceUntil: graceEnd(timing) };
}

export function endedSession(
  row: Pick<ExternalSession, 'tracks'>,
  endReason: ExternalSession['endReason'],
  endedAt: Date,
): SessionChange['set'] {
  const tracks = row.tracks.map(track => ({ ...track, state: 'ended' as const }));
  return { state: 'ended', endReason, endedAt, graceUntil: null, tracks };
}

function healthOf(fact: Extract<ExternalSessionFact, { type: 'external_session.health' }>): SessionChange['set'] {
  return { health: fact.health, keyframeIntervalSeconds: fact.keyframeIntervalSeconds ?? null };
}
