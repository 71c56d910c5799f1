import type { BroadcastFact, BroadcastState, Rendition } from '@rtms/contracts';
import { decideBroadcastFact } from './decide-broadcast-fact.js';

const timing = { at: new Date('2026-11-21T10:00:00.000Z'), now: new Date('2026-11-21T10:00:05.000Z'), graceMs: 30_000 };
const makeRow = (state: BroadcastState, activatedAt: Date | null = null) => ({ state, activatedAt });
const renditions = [{ name: '720p' } as Rendition];

const active: Extract<BroadcastFact, { type: 'broadcast.active' }> = { type: 'broadcast.active', renditions };
const interrupted: BroadcastFact = { type: 'broadcast.interrupted', reason: 'encoder_lost' };
const left: BroadcastFact = { type: 'broadcast.interrupted', reason: 'node_draining' };
const ended: BroadcastFact = { type: 'broadcast.ended', reason: 'requested' };
const failed: BroadcastFact = { type: 'broadcast.failed', reason: 'encoder_failed' };

describe('decideBroadcastFact', () => {
  it.each(['starting', 'interrupted'] as const)('activates a broadcast that is %s', state => {
    expect(decideBroadcastFact(makeRow(state), active, timing)).toEqual({
      set: { state: 'active', renditions, slateProblem: null, activatedAt: timing.at, graceUntil: null },
      effect: 'none',
    });
  });

  it('keeps the first activation time when the encoder is replaced', () => {
    const first = new Date('2026-11-21T09:00:00.000Z');
    expect(decideBroadcastFact(makeRow('interrupted', first), active, timing)).toMatchObject({
      set: { activatedAt: first },
    });
  });

  it('takes a second report of an active broadcast as new renditions and problem of the slate', () => {
    const slateProblem = 'image_unreachable';
    expect(decideBroadcastFact(makeRow('active'), { ...active, slateProblem }, timing)).toEqual({
      set: { renditions, slateProblem },
      effect: 'none',
    });
  });

  it.each(['starting', 'active'] as const)('interrupts a broadcast that is %s', state => {
    expect(decideBroadcastFact(makeRow(state), interrupted, timing)).toEqual({
      set: { state: 'interrupted' },
      effect: 'none',
    });
  });

  it.each(['starting', 'active', 'interrupted'] as const)(
    'takes a broadcast that is %s from a node whose drain is over',
    state => {
      const set = { state: 'interrupted', nodeEpoch: null };
      expect(decideBroadcastFact(makeRow(state), left, timing)).toEqual({ set, effect: 'left' });
    },
  );

  it.each([
    { fact: ended, state: 'ended', endReason: 'requested' },
    { fact: failed, state: 'failed', endReason: 'encoder_failed' },
  ])('ends with the state $state', ({ fact, state, endReason }) => {
    for (const from of ['starting', 'active', 'interrupted'] as const) {
      expect(decideBroadcastFact(makeRow(from), fact, timing)).toEqual({
        set: { state, endReason, endedAt: timing.at, graceUntil: null },
        effect: 'ended',
      });
    }
  });

  it.each([
    { state: 'interrupted' as const, fact: interrupted },
    { state: 'ended' as const, fact: active },
    { state: 'ended' as const, fact: interrupted },
    { state: 'failed' as const, fact: left },
    { state: 'ended' as const, fact: failed },
    { state: 'failed' as const, fact: active },
    { state: 'failed' as const, fact: ended },
  ])('ignores $fact.type of a broadcast that is $state', ({ state, fact }) => {
    expect(decideBroadcastFact(makeRow(state), fact, timing)).toBe('ignored');
  });
});
