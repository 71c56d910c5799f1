/** Allowed transitions by state. A state without transitions is final. */
export type TransitionTable<State extends string> = Readonly<Record<State, readonly State[]>>;

export type RoomState = 'active' | 'ended';
export const roomTransitions: TransitionTable<RoomState> = { active: ['ended'], ended: [] };

export type ExternalSessionState = 'pending' | 'active' | 'ended' | 'failed';
export const externalSessionTransitions: TransitionTable<ExternalSessionState> = {
  pending: ['active', 'ended', 'failed'],
  active: ['pending', 'ended', 'failed'],
  ended: [],
  failed: [],
};

/** `active` → `ready`: the last viewer was lost and may return within the grace time. */
export type PlaybackState = 'ready' | 'active' | 'ended';
export const playbackTransitions: TransitionTable<PlaybackState> = {
  ready: ['active', 'ended'],
  active: ['ready', 'ended'],
  ended: [],
};

export type BroadcastState = 'starting' | 'active' | 'interrupted' | 'ended' | 'failed';
export const broadcastTransitions: TransitionTable<BroadcastState> = {
  starting: ['active', 'interrupted', 'ended', 'failed'],
  active: ['interrupted', 'ended', 'failed'],
  interrupted: ['starting', 'active', 'ended', 'failed'],
  ended: [],
  failed: [],
};

/** `processing`: the recording has stopped, and the file is in progress. */
export type RecordingState = 'starting' | 'recording' | 'processing' | 'ready' | 'failed';
export const recordingTransitions: TransitionTable<RecordingState> = {
  starting: ['recording', 'processing', 'failed'],
  recording: ['processing', 'failed'],
  processing: ['ready', 'failed'],
  ready: [],
  failed: [],
};

/** `retrying`: the target or the source is lost, or no transcoder holds the restream now. */
export type RestreamState = 'connecting' | 'active' | 'retrying' | 'ended' | 'failed';
export const restreamTransitions: TransitionTable<RestreamState> = {
  connecting: ['active', 'retrying', 'ended', 'failed'],
  active: ['retrying', 'ended', 'failed'],
  retrying: ['connecting', 'active', 'ended', 'failed'],
  ended: [],
  failed: [],
};

export function canTransition<State extends string>(table: TransitionTable<State>, from: State, to: State): boolean {
  return table[from].includes(to);
}

export function isFinal<State extends string>(table: TransitionTable<State>, state: State): boolean {
  return table[state].length === 0;
}

/** Reasons for the end of a resource. Stable; callers see them as `endReason`. */
export const endReasons = [
  'requested',
  'expired',
  'balance_exhausted',
  'room_ended',
  'source_ended',
  'publisher_left',
  'publisher_lost',
  'viewer_left',
  'viewer_lost',
  'node_drained',
  'node_lost',
  'participant_left',
  'participant_removed',
  'participant_lost',
  'encoder_failed',
  'source_codec_unsupported',
  'source_too_large',
  'max_duration_reached',
  'pauses_exceeded',
  'nothing_recorded',
  'recorder_failed',
  'target_refused',
  'target_unreachable',
  'target_not_allowed',
] as const;
export type EndReason = (typeof endReasons)[number];

export const trackStates = ['live', 'paused', 'ended'] as const;
export type TrackState = (typeof trackStates)[number];

/**
 * Problems of a publisher that viewers notice. Stable; shown on the external session. While somebody watches by WebRTC, `b_frames`
 * comes with `b_frames_repaired` (a transcoder removes them for these viewers) or `repair_unavailable` (no transcoder can).
 */
export const healthCodes = [
  'b_frames',
  'b_frames_repaired',
  'repair_unavailable',
  'long_keyframe_interval',
  'no_keyframe_requests',
  'profile_mismatch',
  'silence',
  'high_loss',
  'clock_drift',
  'picture_too_large',
] as const;
export type HealthCode = (typeof healthCodes)[number];
