import {
  canTransition,
  type EndReason,
  externalSessionTransitions,
  type ExternalSessionFact,
  type ExternalSessionState,
  type SessionTrack,
} from '@rtms/contracts';
import { graceEnd, type FactTiming, type RowChange } from '../resources/placement.js';
import type { ExternalSession } from '../resources/external-session.entity.js';
import { withEvent, type PendingReason } from '../resources/session-events.js';

export type SessionEffect = 'activated' | 'interrupted' | 'ended' | 'none';
type SessionChange = RowChange<ExternalSession, SessionEffect>;
type SessionRow = Pick<ExternalSession, 'state' | 'tracks' | 'activatedAt' | 'events'>;

interface SessionTiming extends FactTiming {
  /** No other SFU node takes work. */
  isLastNode: boolean;
}

/** Decides the effect of a current fact (see `isCurrent`). `ignored`: the session's state allows no such transition. */
export function decideSessionFact(
  row: SessionRow,
  fact: ExternalSessionFact,
  timing: SessionTiming,
): SessionChange | 'ignored' {
  switch (fact.type) {
    case 'external_session.active':
      return activate(row, fact.tracks, timing);
    case 'external_session.interrupted':
      if (fact.reason === 'node_draining' && timing.isLastNode) return finish(row, 'node_drained', timing);
      if (!reaches(row, 'pending')) return 'ignored';
      return { set: interrupted(row, fact.reason, timing), effect: 'interrupted' };
    case 'external_session.health':
      return row.state === 'active' || row.state === 'pending' ? { set: healthOf(fact), effect: 'none' } : 'ignored';
    case 'external_session.ended':
      return finish(row, fact.reason, timing);
    default:
      return fact satisfies never;
  }
}

function reaches(row: SessionRow, state: ExternalSessionState): boolean {
  return canTransition(externalSessionTransitions, row.state, state);
}

function activate(row: SessionRow, tracks: SessionTrack[], { at }: FactTiming): SessionChange | 'ignored' {
  // A second report while active means that the tracks changed.
  if (row.state === 'active') return { set: { tracks: withClosed(tracks, row) }, effect: 'none' };
  if (!reaches(row, 'active')) return 'ignored';
  const activatedAt = row.activatedAt ?? at;
  const events = withEvent(row.events, at, { state: 'active', reason: null });
  return { set: { state: 'active', tracks, activatedAt, graceUntil: null, events }, effect: 'activated' };
}

function finish(row: SessionRow, reason: EndReason, { at }: FactTiming): SessionChange | 'ignored' {
  return reaches(row, 'ended') ? { set: endedSession(row, reason, at), effect: 'ended' } : 'ignored';
}

/** Closed tracks stay in the list after the node stops reporting them. */
function withClosed(tracks: SessionTrack[], row: SessionRow): SessionTrack[] {
  const isTold = ({ trackID }: SessionTrack) => tracks.some(each => each.trackID === trackID);
  return [...tracks, ...row.tracks.filter(track => track.state === 'ended' && !isTold(track))];
}

/** The publisher may reconnect until the grace time ends. */
export function interrupted(
  { events }: Pick<ExternalSession, 'events'>,
  reason: PendingReason,
  timing: FactTiming,
): SessionChange['set'] {
  const event = { state: 'pending', reason } as const;
  return { state: 'pending', graceUntil: graceEnd(timing), events: withEvent(events, timing.at, event) };
}

export function endedSession(
  row: Pick<ExternalSession, 'tracks' | 'events'>,
  endReason: EndReason,
  endedAt: Date,
): SessionChange['set'] {
  const events = withEvent(row.events, endedAt, { state: 'ended', reason: endReason });
  const tracks = row.tracks.map(track => ({ ...track, state: 'ended' as const }));
  return { state: 'ended', endReason, endedAt, graceUntil: null, tracks, events };
}

function healthOf(fact: Extract<ExternalSessionFact, { type: 'external_session.health' }>): SessionChange['set'] {
  return { health: fact.health, keyframeIntervalSeconds: fact.keyframeIntervalSeconds ?? null };
}
