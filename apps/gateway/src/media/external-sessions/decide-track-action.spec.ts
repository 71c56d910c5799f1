import type { ExternalSessionState, SessionTrack, TrackState } from '@rtms/contracts';
import { decideTrackAction, hasVideo, trackActions, tracksAfter } from './decide-track-action.js';

const trackOf = (state: TrackState, kind: SessionTrack['kind'] = 'video'): SessionTrack => ({
  trackID: 'trk_1',
  kind,
  codec: kind === 'video' ? 'VP8' : 'opus',
  state,
});
const rowOf = (state: ExternalSessionState, ...tracks: SessionTrack[]) => ({ state, tracks });

describe('decideTrackAction', () => {
  it.each(trackActions)('sends an action on a live or paused track to the node: %s', action => {
    for (const state of ['live', 'paused'] as const) {
      const track = trackOf(state);
      expect(decideTrackAction(rowOf('active', track), 'trk_1', action)).toBe(track);
      expect(decideTrackAction(rowOf('pending', track), 'trk_1', action)).toBe(track);
    }
  });

  it.each(trackActions)('refuses an unknown track: %s', action => {
    expect(() => decideTrackAction(rowOf('active', trackOf('live')), 'trk_2', action)).toThrow('no such track');
  });

  it('has nothing to do when a closed track is closed, also in an ended session', () => {
    for (const state of ['active', 'pending', 'ended', 'failed'] as const)
      expect(decideTrackAction(rowOf(state, trackOf('ended')), 'trk_1', 'close')).toBe('done');
  });

  it.each(['pause', 'resume', 'requestKeyframe'] as const)('refuses an action on a closed track: %s', action => {
    expect(() => decideTrackAction(rowOf('active', trackOf('ended')), 'trk_1', action)).toThrow('track has ended');
    expect(() => decideTrackAction(rowOf('ended', trackOf('ended')), 'trk_1', action)).toThrow('session has ended');
  });

  it.each(['pause', 'resume', 'close'] as const)('sends an action on an audio track to the node: %s', action => {
    const track = trackOf('live', 'audio');
    expect(decideTrackAction(rowOf('active', track), 'trk_1', action)).toBe(track);
  });

  it('refuses a keyframe request for an audio track', () => {
    const row = rowOf('active', trackOf('live', 'audio'));
    expect(() => decideTrackAction(row, 'trk_1', 'requestKeyframe')).toThrow('video');
  });
});

describe('tracksAfter', () => {
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
  ] as const)('after %s changes a track from %s to %s', (action, before, after) => {
    const other = { ...trackOf('live', 'audio'), trackID: 'trk_2' };
    const tracks = tracksAfter(rowOf('active', other, trackOf(before)), trackOf(before), action);
    expect(tracks).toEqual(after && [other, trackOf(after)]);
  });

  it('keeps a closed track that the node no longer reports', () => {
    expect(tracksAfter(rowOf('active'), trackOf('live'), 'close')).toEqual([trackOf('ended')]);
    expect(tracksAfter(rowOf('active'), trackOf('live'), 'pause')).toBeUndefined();
  });

  it('finds video while a video track has not ended', () => {
    expect(hasVideo([trackOf('paused'), trackOf('live', 'audio')])).toBe(true);
    expect(hasVideo([trackOf('ended'), trackOf('live', 'audio')])).toBe(false);
  });
});
