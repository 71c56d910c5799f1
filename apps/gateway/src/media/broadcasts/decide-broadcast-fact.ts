import { broadcastTransitions, canTransition, isFinal, type BroadcastFact, type BroadcastState } from '@rtms/contracts';
import type { FactTiming, RowChange } from '../resources/placement.js';
import type { Broadcast } from '../resources/broadcast.entity.js';

type BroadcastChange = RowChange<Broadcast, 'ended' | 'left' | 'none'>;
type BroadcastRow = Pick<Broadcast, 'state' | 'activatedAt'>;

/** Decides the effect of a current fact. `ignored`: the broadcast's state allows no such transition. */
export function decideBroadcastFact(
  row: BroadcastRow,
  fact: BroadcastFact,
  timing: FactTiming,
): BroadcastChange | 'ignored' {
  switch (fact.type) {
    case 'broadcast.active':
      return goLive(row, fact, timing);
    case 'broadcast.interrupted':
      if (fact.reason === 'node_draining') return leave(row);
      return reaches(row, 'interrupted') ? { set: { state: 'interrupted' }, effect: 'none' } : 'ignored';
    case 'broadcast.ended':
    case 'broadcast.failed':
      return finish(row, fact, timing);
    default:
      return fact satisfies never;
  }
}

function reaches(row: BroadcastRow, state: BroadcastState): boolean {
  return canTransition(broadcastTransitions, row.state, state);
}

/** As after a crash: no node holds the broadcast, and the reconciler looks for another one. */
function leave(row: BroadcastRow): BroadcastChange | 'ignored' {
  if (isFinal(broadcastTransitions, row.state)) return 'ignored';
  return { set: { state: 'interrupted', nodeEpoch: null }, effect: 'left' };
}

function goLive(
  row: BroadcastRow,
  { renditions, slateProblem }: Extract<BroadcastFact, { type: 'broadcast.active' }>,
  { at }: FactTiming,
): BroadcastChange | 'ignored' {
  const reported = { renditions, slateProblem: slateProblem ?? null };
  // A second report while active means that the source's size changed, and the renditions with it, or that the slate has a problem.
  if (row.state === 'active') return { set: reported, effect: 'none' };
  if (!reaches(row, 'active')) return 'ignored';
  const activatedAt = row.activatedAt ?? at;
  return { set: { state: 'active', ...reported, activatedAt, graceUntil: null }, effect: 'none' };
}

function finish(
  row: BroadcastRow,
  fact: Extract<BroadcastFact, { type: 'broadcast.ended' | 'broadcast.failed' }>,
  { at }: FactTiming,
): BroadcastChange | 'ignored' {
  const state = fact.type === 'broadcast.ended' ? 'ended' : 'failed';
  return reaches(row, state) ? { set: endedBroadcast(state, fact.reason, at), effect: 'ended' } : 'ignored';
}

export function endedBroadcast(
  state: 'ended' | 'failed',
  endReason: Broadcast['endReason'],
  endedAt: Date,
): BroadcastChange['set'] {
  return { state, endReason, endedAt, graceUntil: null };
}
