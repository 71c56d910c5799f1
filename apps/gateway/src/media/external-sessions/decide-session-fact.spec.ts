import type { ExternalSessionFact, ExternalSessionState, SessionTrack } from '@rtms/contracts';
import { decideSessionFact } from './decide-session-fact.js';

const timing = {
  at: new Date('2026-11-21T10:00:00.000Z'),
  now: new Date('2026-11-21T10:00:05.000Z'),
  graceMs: 30_000,
  isLastNode: false,
};
const graceUntil = new Date('2026-11-21T10:00:35.000Z');
const track: SessionTrack = { trackID: 'trk_1', kind: 'video', codec: 'VP8', state: 'live' };
const makeRow = (state: ExternalSessionState, activatedAt: Date | null = null) => ({
  state,
  tracks: [track],
  activatedAt,
  events: [],
});
const at = timing.at.toISOString();

const active: ExternalSessionFact = { type: 'external_session.active', tracks: [track] };
const interrupted: ExternalSessionFact = { type: 'external_session.interrupted', reason: 'publisher_lost' };
const health: ExternalSessionFact = {
  type: 'external_session.health',
  health: ['b_frames'],
  keyframeIntervalSeconds: 5,
};
const drained: ExternalSessionFact = { type: 'external_session.interrupted', reason: 'node_draining' };
const ended: ExternalSessionFact = { type: 'external_session.ended', reason: 'publisher_left' };

describe('decideSessionFact', () => {
  it('activates a pending session and ends its grace time', () => {
    expect(decideSessionFact(makeRow('pending'), active, timing)).toEqual({
      set: {
        ...{ state: 'active', tracks: [track], activatedAt: timing.at, graceUntil: null },
        events: [{ at, state: 'active', reason: null }],
      },
      effect: 'activated',
    });
  });

  it('keeps the first activation time when the publisher reconnects', () => {
    const first = new Date('2026-11-21T09:00:00.000Z');
    expect(decideSessionFact(makeRow('pending', first), active, timing)).toMatchObject({ set: { activatedAt: first } });
  });

  it('takes a second report of an active session as changed tracks', () => {
    expect(decideSessionFact(makeRow('active'), active, timing)).toEqual({ set: { tracks: [track] }, effect: 'none' });
  });

  it('keeps a closed track that its node no longer reports, and lists each track once', () => {
    const closed: SessionTrack = { ...track, trackID: 'trk_0', state: 'ended' };
    const live: SessionTrack = { ...track, trackID: 'trk_2' };
    const row = { ...makeRow('active'), tracks: [closed, live, { ...track, state: 'ended' as const }] };
    const sound: SessionTrack = { ...track, trackID: 'trk_3', kind: 'audio', codec: 'opus' };
    expect(decideSessionFact(row, { type: 'external_session.active', tracks: [track, sound] }, timing)).toEqual({
      set: { tracks: [track, sound, closed] },
      effect: 'none',
    });
  });

  it('counts the grace time from now, even when the fact is late', () => {
    expect(decideSessionFact(makeRow('active'), interrupted, timing)).toEqual({
      set: { state: 'pending', graceUntil, events: [{ at, state: 'pending', reason: 'publisher_lost' }] },
      effect: 'interrupted',
    });
  });

  it('leaves a session of a drained node to the other nodes', () => {
    expect(decideSessionFact(makeRow('active'), drained, timing)).toEqual({
      set: { state: 'pending', graceUntil, events: [{ at, state: 'pending', reason: 'node_draining' }] },
      effect: 'interrupted',
    });
    expect(decideSessionFact(makeRow('pending'), drained, timing)).toBe('ignored');
  });

  it.each(['active', 'pending'] as const)('ends an %s session of the last node when it is drained', state => {
    expect(decideSessionFact(makeRow(state), drained, { ...timing, isLastNode: true })).toMatchObject({
      set: { state: 'ended', endReason: 'node_drained', endedAt: timing.at, graceUntil: null },
      effect: 'ended',
    });
  });

  it('interrupts a session of the last node when its publisher is lost', () => {
    const change = decideSessionFact(makeRow('active'), interrupted, { ...timing, isLastNode: true });
    expect(change).toMatchObject({ effect: 'interrupted' });
  });

  it('stores the health that viewers will notice', () => {
    expect(decideSessionFact(makeRow('active'), health, timing)).toEqual({
      set: { health: ['b_frames'], keyframeIntervalSeconds: 5 },
      effect: 'none',
    });
  });

  it('stores the health of a pending session, without a keyframe interval when the node reports none', () => {
    const unknown: ExternalSessionFact = { type: 'external_session.health', health: [] };
    expect(decideSessionFact(makeRow('pending'), unknown, timing)).toEqual({
      set: { health: [], keyframeIntervalSeconds: null },
      effect: 'none',
    });
  });

  it('ends the session with its tracks', () => {
    expect(decideSessionFact(makeRow('active'), ended, timing)).toEqual({
      set: {
        state: 'ended',
        endReason: 'publisher_left',
        endedAt: timing.at,
        graceUntil: null,
        tracks: [{ ...track, state: 'ended' }],
        events: [{ at, state: 'ended', reason: 'publisher_left' }],
      },
      effect: 'ended',
    });
  });

  it('keeps the first of many events, and the newest', () => {
    let row = makeRow('active');
    for (let minute = 0; minute < 60; minute++) {
      const then = { ...timing, at: new Date(timing.at.getTime() + minute * 60_000) };
      const change = decideSessionFact(row, row.state === 'active' ? interrupted : active, then);
      if (change !== 'ignored') row = { ...row, ...change.set } as typeof row;
    }
    const minutes = (row.events as { at: string }[]).map(each => (Date.parse(each.at) - timing.at.getTime()) / 60_000);
    expect(minutes).toHaveLength(50);
    expect(minutes.slice(0, 2)).toEqual([0, 11]);
    expect(minutes.at(-1)).toBe(59);
  });

  it.each([
    { state: 'pending' as const, fact: interrupted },
    { state: 'ended' as const, fact: active },
    { state: 'ended' as const, fact: interrupted },
    { state: 'ended' as const, fact: health },
    { state: 'ended' as const, fact: ended },
    { state: 'failed' as const, fact: active },
    { state: 'failed' as const, fact: ended },
  ])('ignores $fact.type of a session that is $state', ({ state, fact }) => {
    expect(decideSessionFact(makeRow(state), fact, timing)).toBe('ignored');
  });
});
