import type { FactBody } from '@rtms/contracts';
import fc from 'fast-check';
import { factOf, parseFact } from './parse-fact.js';

const makeFact = (body: unknown) => ({
  resourceID: 'ext_1',
  nodeID: 'sfu-1',
  epoch: 1_763_700_000_000,
  sequence: 1,
  at: '2026-11-21T10:00:00.000Z',
  body,
});

const bodies: FactBody[] = [
  { type: 'external_session.active', tracks: [{ trackID: 'trk_1', kind: 'video', codec: 'VP8', state: 'live' }] },
  { type: 'external_session.interrupted', reason: 'worker_lost' },
  { type: 'external_session.health', health: ['b_frames'], keyframeIntervalSeconds: 4.5 },
  { type: 'external_session.health', health: [] },
  { type: 'external_session.ended', reason: 'publisher_left' },
  { type: 'playback.active', viewerCount: 2 },
  { type: 'playback.idle', reason: 'viewer_lost' },
  { type: 'playback.ended', reason: 'viewer_left' },
  { type: 'broadcast.active', renditions: [] },
  { type: 'broadcast.interrupted', reason: 'encoder_lost' },
  { type: 'broadcast.ended', reason: 'requested' },
  { type: 'broadcast.failed', reason: 'encoder_failed' },
  { type: 'restream.active' },
  { type: 'restream.retrying', problem: 'target_refused', retries: 3 },
  { type: 'restream.ended', reason: 'requested' },
  { type: 'restream.failed', reason: 'target_refused', problem: 'target_refused' },
];

describe('parseFact', () => {
  it.each(bodies.map(body => ({ name: body.type, body })))('takes $name as it is', ({ body }) => {
    expect(parseFact(makeFact(body))).toEqual(makeFact(body));
  });

  it.each([
    { name: 'an unknown type', payload: makeFact({ type: 'weather.changed' }) },
    { name: 'tracks that are no list', payload: makeFact({ type: 'external_session.active', tracks: 7 }) },
    { name: 'an unknown reason', payload: makeFact({ type: 'playback.ended', reason: 'boredom' }) },
    { name: 'a sequence that is no number', payload: { ...makeFact(bodies[1]), sequence: '2' } },
    { name: 'a time that is none', payload: { ...makeFact(bodies[1]), at: 'now' } },
    { name: 'nothing at all', payload: undefined },
  ])('refuses $name', ({ payload }) => {
    expect(parseFact(payload)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), payload => void parseFact(payload)));
    fc.assert(fc.property(fc.anything(), body => void parseFact(makeFact(body))));
  });
});

describe('factOf', () => {
  const payload = makeFact({ type: 'broadcast.ended', reason: 'requested' });

  it('returns a fact under its own subject', () => {
    expect(factOf({ subject: 'rtms.fact.broadcast.ended.ext_1', payload })).toEqual(payload);
  });

  it.each(['rtms.fact.playback.ended.ext_1', 'rtms.fact.broadcast.ended.ext_2'])('refuses a fact under %s', subject => {
    expect(factOf({ subject, payload })).toBeUndefined();
  });
});
