import { isFinal, externalSessionTransitions, ServiceError, type SessionTrack, type TrackState } from '@rtms/contracts';
import type { ExternalSession } from '../resources/external-session.entity.js';

export const trackActions = ['pause', 'resume', 'close', 'requestKeyframe'] as const;
export type TrackAction = (typeof trackActions)[number];

type SessionRow = Pick<ExternalSession, 'state' | 'tracks'>;

/** `done`: nothing is left to do. Otherwise the node must act on the returned track. Throws when the action is impossible. */
export function decideTrackAction(row: SessionRow, trackID: string, action: TrackAction): 'done' | SessionTrack {
  const track = row.tracks.find(each => each.trackID === trackID);
  if (!track) throw new ServiceError('not_found', 'There is no such track in this session.');
  if (action === 'close' && track.state === 'ended') return 'done';
  if (isFinal(externalSessionTransitions, row.state)) throw new ServiceError('session_ended');
  if (track.state === 'ended') throw trackEnded();
  if (action === 'requestKeyframe' && track.kind === 'audio')
    throw new ServiceError('invalid_request', 'Only a video track has keyframes.');
  return track;
}

/** The state of a track after the node has acted. A keyframe changes no state. */
const stateAfter: Readonly<Record<TrackAction, TrackState | undefined>> = {
  pause: 'paused',
  resume: 'live',
  close: 'ended',
  requestKeyframe: undefined,
};

/** undefined: nothing changes. An ended track stays ended, also when the node no longer reports it. */
export function tracksAfter(row: SessionRow, track: SessionTrack, action: TrackAction): SessionTrack[] | undefined {
  const state = stateAfter[action];
  const now = row.tracks.find(each => each.trackID === track.trackID);
  if (state === undefined || now?.state === 'ended' || now?.state === state) return undefined;
  if (now) return row.tracks.map(each => (each === now ? { ...each, state } : each));
  return state === 'ended' ? [...row.tracks, { ...track, state }] : undefined;
}

/** Whether a session has video to broadcast; a paused track counts, since it may be resumed. */
export function hasVideo(tracks: readonly SessionTrack[]): boolean {
  return tracks.some(({ kind, state }) => kind === 'video' && state !== 'ended');
}

export function trackEnded(): ServiceError {
  return new ServiceError('track_ended');
}
