import {
  canTransition,
  isFinal,
  restreamTransitions,
  type EndReason,
  type RestreamFact,
  type RestreamProblem,
} from '@rtms/contracts';
import type { FactTiming, RowChange } from '../resources/placement.js';
import type { Restream } from '../resources/restream.entity.js';

type RestreamChange = RowChange<Restream, 'left' | 'none'>;
type RestreamRow = Pick<Restream, 'state' | 'activatedAt'>;

/** Decides the effect of a current fact. `ignored`: the restream's state allows no such transition. */
export function decideRestreamFact(
  row: RestreamRow,
  fact: RestreamFact,
  { at }: FactTiming,
): RestreamChange | 'ignored' {
  switch (fact.type) {
    case 'restream.active':
      if (!canTransition(restreamTransitions, row.state, 'active')) return 'ignored';
      return {
        set: { state: 'active', activatedAt: row.activatedAt ?? at, graceUntil: null },
        effect: 'none',
      };
    case 'restream.retrying':
      return retry(row, fact, at);
    case 'restream.ended':
    case 'restream.failed':
      if (isFinal(restreamTransitions, row.state)) return 'ignored';
      return {
        set: {
          ...endedRestream(fact.type === 'restream.ended' ? 'ended' : 'failed', fact.reason, at),
          ...('problem' in fact && problemOf(fact.problem, at)),
        },
        effect: 'none',
      };
    default:
      return fact satisfies never;
  }
}

/** After `node_draining` no node holds the restream, and the reconciler looks for another one. */
function retry(
  row: RestreamRow,
  { problem, retries }: Extract<RestreamFact, { type: 'restream.retrying' }>,
  at: Date,
): RestreamChange | 'ignored' {
  if (isFinal(restreamTransitions, row.state)) return 'ignored';
  const set = { state: 'retrying' as const, retryCount: retries, ...problemOf(problem, at) };
  return problem === 'node_draining' ? { set: { ...set, nodeEpoch: null }, effect: 'left' } : { set, effect: 'none' };
}

/** The columns of a restream that waits for its source, its target or a node. */
export function waitingRestream(problem: RestreamProblem, at: Date) {
  return { state: 'retrying' as const, ...problemOf(problem, at) };
}

/** An ended restream needs its secrets no more. */
export function endedRestream(state: 'ended' | 'failed', endReason: EndReason, endedAt: Date): Partial<Restream> {
  return { state, endReason, endedAt, graceUntil: null, encryptedTargetSecrets: null };
}

function problemOf(problem: RestreamProblem, problemAt: Date): Pick<Restream, 'problem' | 'problemAt'> {
  return { problem, problemAt };
}
