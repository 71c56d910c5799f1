import type { ExternalSessionState, SessionTrack, TrackState } from '@rtms/contracts';
import { decideTrackAction, hasVideo, trackActions, tracksAfter } from './decide-track-action.js';

const trackOf = (state: TrackState, kind: SessionTrack['kind'] = 'video'): SessionTrack => ({
  trackID: 'trk_1',
  kind,
  codec: kind === 'video' ? 'VP8' : 'opus',
  state,
});
const rowOf = (state: ExternalSessionState, ...tracks: SessionTrack[]) => ({ state, tracks });

describe('an action on a track', () => {
  it.each(trackActions)('goes to the node of a live or paused track: %s', action => {
    for (const state of ['live', 'paused'] as const) {
      const track = trackOf(state);
      expect(decideTrackAction(rowOf('active', track), 'trk_1', action)).toBe(track);
      expect(decideTrackAction(rowOf('pending', track), 'trk_1', action)).toBe(track);
    }
  });

  it.each(trackActions)('finds no track of another name: %s', action => {
    expect(() => decideTrackAction(rowOf('active', trackOf('live')), 'trk_2', action)).toThrow('no such track');
  });

  it('is done already where a closed track is to be closed, also in a session that has ended', () => {
    for (const state of ['active', 'pending', 'ended', 'failed'] as const)
      expect(decideTrackAction(rowOf(state, trackOf('ended')), 'trk_1', 'close')).toBe('done');
  });

  it.each(['pause', 'resume', 'requestKeyframe'] as const)('is too late for a closed track: %s', action => {
    expect(() => decideTrackAction(rowOf('active', trackOf('ended')), 'trk_1', action)).toThrow('track has ended');
    expect(() => decideTrackAction(rowOf('ended', trackOf('ended')), 'trk_1', action)).toThrow('session has ended');
  });

  it.each(['pause', 'resume', 'close'] as const)('goes to the node of a track of sound: %s', action => {
    const track = trackOf('live', 'audio');
    expect(decideTrackAction(rowOf('active', track), 'trk_1', action)).toBe(track);
  });

  it('asks no sound for keyframes', () => {
    const row = rowOf('active', trackOf('live', 'audio'));
    expect(() => decideTrackAction(row, 'trk_1', 'requestKeyframe')).toThrow('video');
  });
});

describe('the tracks after an action', () => {
  it.each([
    ['pause', 'live', 'paused'],
    ['resume', 'paused', 'live'],
    ['close', 'live', 'ended'],
    ['close', 'paused', 'ended'],
    ['pause', 'paused', undefined],
    ['resume', 'live', undefined],
    ['resume', 'ended', undefined],
    ['pause', 'ended', undefined],
    ['requestKeyframe', 'live', undefined],
  ] as const)('%s: %s becomes %s', (action, before, after) => {
    const other = { ...trackOf('live', 'audio'), trackID: 'trk_2' };
    const tracks = tracksAfter(rowOf('active', other, trackOf(before)), trackOf(before), action);
    expect(tracks).toEqual(after && [other, trackOf(after)]);
  });

  it('keep a closed one that the node has already stopped telling of', () => {
    expect(tracksAfter(rowOf('active'), trackOf('live'), 'close')).toEqual([trackOf('ended')]);
    expect(tracksAfter(rowOf('active'), trackOf('live'), 'pause')).toBeUndefined();
  });

  it('have a picture while one of video has not ended', () => {
    expect(hasVideo([trackOf('paused'), trackOf('live', 'audio')])).toBe(true);
    expect(hasVideo([trackOf('ended'), trackOf('live', 'audio')])).toBe(false);
  });
});
