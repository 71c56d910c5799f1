import type { RestreamFact, RestreamState } from '@rtms/contracts';
import { decideRestreamFact, waitingRestream } from './decide-restream-fact.js';

const at = new Date('2026-11-21T10:00:00.000Z');
const timing = { at, now: new Date('2026-11-21T10:00:05.000Z'), graceMs: 30_000 };
const running: RestreamState[] = ['connecting', 'active', 'retrying'];
const final: RestreamState[] = ['ended', 'failed'];

const active: RestreamFact = { type: 'restream.active' };
const retrying: RestreamFact = { type: 'restream.retrying', problem: 'target_stalled', retries: 3 };
const left: RestreamFact = { type: 'restream.retrying', problem: 'node_draining', retries: 3 };
const ended: RestreamFact = { type: 'restream.ended', reason: 'requested' };
const failed: RestreamFact = { type: 'restream.failed', reason: 'target_refused', problem: 'target_refused' };

const decide = (state: RestreamState, fact: RestreamFact, activatedAt: Date | null = null) =>
  decideRestreamFact({ state, activatedAt }, fact, timing);

describe('decideRestreamFact', () => {
  it.each(['connecting', 'retrying'] as const)('activates a restream that is %s', state => {
    const set = { state: 'active', activatedAt: at, graceUntil: null };
    expect(decide(state, active)).toEqual({ set, effect: 'none' });
  });

  it('keeps the first activation time when the target takes the media again', () => {
    const first = new Date('2026-11-21T09:00:00.000Z');
    expect(decide('retrying', active, first)).toMatchObject({ set: { activatedAt: first } });
  });

  it.each(running)('stores the problem and the number of retries of a restream that is %s', state => {
    const set = { state: 'retrying', retryCount: 3, problem: 'target_stalled', problemAt: at };
    expect(decide(state, retrying)).toEqual({ set, effect: 'none' });
  });

  it.each(running)('takes a restream that is %s from a node whose drain is over', state => {
    const set = { state: 'retrying', retryCount: 3, problem: 'node_draining', problemAt: at, nodeEpoch: null };
    expect(decide(state, left)).toEqual({ set, effect: 'left' });
  });

  it.each(running)('ends a restream that is %s, keeps its last problem and forgets its secrets', state => {
    const set = { state: 'ended', endReason: 'requested', endedAt: at, graceUntil: null, encryptedTargetSecrets: null };
    expect(decide(state, ended)).toEqual({ set, effect: 'none' });
  });

  it.each(running)('stores why a restream failed that is %s', state => {
    const change = decide(state, failed);
    expect(change).toMatchObject({
      set: { state: 'failed', endReason: 'target_refused', encryptedTargetSecrets: null },
    });
    expect(change).toMatchObject({ set: { problem: 'target_refused', problemAt: at }, effect: 'none' });
  });

  it('ignores the report that an active restream is active', () => {
    expect(decide('active', active)).toBe('ignored');
  });

  it.each(final.flatMap(state => [active, retrying, left, ended, failed].map(fact => ({ state, fact }))))(
    'ignores $fact.type of a restream that is $state',
    ({ state, fact }) => {
      expect(decide(state, fact)).toBe('ignored');
    },
  );
});

describe('waitingRestream', () => {
  it('says why a restream retries, and since when', () => {
    expect(waitingRestream('source_lost', at)).toEqual({ state: 'retrying', problem: 'source_lost', problemAt: at });
  });
});
