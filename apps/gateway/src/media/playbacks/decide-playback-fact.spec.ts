import type { PlaybackFact, PlaybackState } from '@rtms/contracts';
import { decidePlaybackFact } from './decide-playback-fact.js';

const timing = { at: new Date('2026-11-21T10:00:00.000Z'), now: new Date('2026-11-21T10:00:05.000Z'), graceMs: 30_000 };
const makeRow = (state: PlaybackState, activatedAt: Date | null = null) => ({ state, activatedAt });

const active: PlaybackFact = { type: 'playback.active', viewerCount: 2 };
const idle: PlaybackFact = { type: 'playback.idle', reason: 'viewer_lost' };
const ended: PlaybackFact = { type: 'playback.ended', reason: 'viewer_left' };

describe('decidePlaybackFact', () => {
  it('activates with the first viewer', () => {
    expect(decidePlaybackFact(makeRow('ready'), active, timing)).toEqual({
      set: { state: 'active', viewerCount: 2, activatedAt: timing.at, graceUntil: null },
      effect: 'none',
    });
  });

  it('keeps the first activation time when viewers reconnect', () => {
    const first = new Date('2026-11-21T09:00:00.000Z');
    expect(decidePlaybackFact(makeRow('ready', first), active, timing)).toMatchObject({ set: { activatedAt: first } });
  });

  it('updates the number of viewers while active', () => {
    expect(decidePlaybackFact(makeRow('active'), active, timing)).toEqual({ set: { viewerCount: 2 }, effect: 'none' });
  });

  it('waits for the last viewer to reconnect', () => {
    expect(decidePlaybackFact(makeRow('active'), idle, timing)).toEqual({
      set: { state: 'ready', viewerCount: 0, graceUntil: new Date('2026-11-21T10:00:35.000Z') },
      effect: 'none',
    });
  });

  it('ends when the last viewer leaves', () => {
    expect(decidePlaybackFact(makeRow('active'), ended, timing)).toEqual({
      set: { state: 'ended', viewerCount: 0, endReason: 'viewer_left', endedAt: timing.at, graceUntil: null },
      effect: 'ended',
    });
  });

  it.each([
    { state: 'ready' as const, fact: idle },
    { state: 'ended' as const, fact: active },
    { state: 'ended' as const, fact: idle },
    { state: 'ended' as const, fact: ended },
  ])('ignores $fact.type of a playback that is $state', ({ state, fact }) => {
    expect(decidePlaybackFact(makeRow(state), fact, timing)).toBe('ignored');
  });
});
