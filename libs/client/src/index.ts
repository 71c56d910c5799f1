export { joinRoom, type JoinOptions } from './join-room.js';
export type { Room } from './room.js';
export type { ConnectionState, RoomEventMap } from './room-events.js';
export type { RoomState } from './state/room-state.js';
export type { LocalTrack, LocalTrackEvents, PublishOptions } from './media/local-track.js';
export type { Subscription, SubscribeOptions, SubscriptionEvents } from './media/subscription.js';
export type { MediaState } from './media/room-media.js';
export { RtmsError } from './signalling/rtms-error.js';
export type {
  ChatMessage,
  ParticipantRequest,
  ParticipantRole,
  Poll,
  PreferredLayers,
  RequestStatus,
  RoomTrack,
  RosterEntry,
  TrackSource,
} from '@rtms/contracts';
