import { canTransition, playbackTransitions, type PlaybackFact } from '@rtms/contracts';
import { graceEnd, type FactTiming, type RowChange } from '../resources/placement.js';
import type { Playback } from '../resources/playback.entity.js';

type PlaybackChange = RowChange<Playback, 'ended' | 'none'>;
type PlaybackRow = Pick<Playback, 'state' | 'activatedAt'>;

/** Decides the effect of a current fact. `ignored`: the playback's state allows no such transition. */
export function decidePlaybackFact(
  row: PlaybackRow,
  fact: PlaybackFact,
  timing: FactTiming,
): PlaybackChange | 'ignored' {
  switch (fact.type) {
    case 'playback.active':
      return watch(row, fact.viewerCount, timing);
    case 'playback.idle':
      return canTransition(playbackTransitions, row.state, 'ready')
        ? { set: unwatched(timing), effect: 'none' }
        : 'ignored';
    case 'playback.ended':
      return canTransition(playbackTransitions, row.state, 'ended')
        ? { set: endedPlayback(fact.reason, timing.at), effect: 'ended' }
        : 'ignored';
    default:
      return fact satisfies never;
  }
}

function watch(row: PlaybackRow, viewerCount: number, { at }: FactTiming): PlaybackChange | 'ignored' {
  if (row.state === 'active') return { set: { viewerCount }, effect: 'none' };
  if (!canTransition(playbackTransitions, row.state, 'active')) return 'ignored';
  const activatedAt = row.activatedAt ?? at;
  return { set: { state: 'active', viewerCount, activatedAt, graceUntil: null }, effect: 'none' };
}

/** The last viewer was lost and may reconnect until the grace time ends. */
export function unwatched(timing: Pick<FactTiming, 'now' | 'graceMs'>): PlaybackChange['set'] {
  return { state: 'ready', viewerCount: 0, graceUntil: graceEnd(timing) };
}

export function endedPlayback(endReason: Playback['endReason'], endedAt: Date): PlaybackChange['set'] {
  return { state: 'ended', viewerCount: 0, endReason, endedAt, graceUntil: null };
}
