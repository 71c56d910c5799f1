import type { MediaKind } from './codecs.js';

/** Sources of a member's tracks. A member publishes at most one track per source. */
export const trackSources = ['microphone', 'camera', 'screen', 'screenAudio'] as const;
export type TrackSource = (typeof trackSources)[number];

/** `camera`: the camera with the microphone. `screen`: the shared screen with its sound. */
export type SourceView = 'camera' | 'screen';

export function viewOfSource(source: TrackSource): SourceView {
  return source === 'microphone' || source === 'camera' ? 'camera' : 'screen';
}

export function kindOfSource(source: TrackSource): MediaKind {
  return source === 'microphone' || source === 'screenAudio' ? 'audio' : 'video';
}

/** RTP capabilities or parameters of mediasoup. The gateway passes them on unchanged. */
export type RtpDescription = Record<string, unknown>;

/** `RTCIceServer` of the WebRTC API. The credential expires: each transport and each ICE restart gets its own. */
export interface IceServer {
  /** URIs of RFC 7065, e.g. `turns:turn.example.com:443?transport=tcp`. */
  urls: string[];
  username: string;
  credential: string;
}

/** Options of mediasoup-client's `createSendTransport` and `createRecvTransport`. */
export interface MemberTransportParameters {
  transportID: string;
  iceParameters: Record<string, unknown>;
  iceCandidates: Record<string, unknown>[];
  dtlsParameters: Record<string, unknown>;
}

/** Options of a new transport. Servers are absent from media nodes of earlier versions. */
export interface OpenedMemberTransport extends MemberTransportParameters {
  iceServers?: IceServer[];
}

/** Options of mediasoup-client's `restartIce` and `updateIceServers`. */
export interface RestartedIce {
  iceParameters: Record<string, unknown>;
  /** Absent from media nodes of earlier versions. */
  iceServers?: IceServer[];
}

/** Options of mediasoup-client's `consume`. The subscription starts paused. */
export interface SubscriptionParameters {
  subscriptionID: string;
  trackID: string;
  kind: MediaKind;
  rtpParameters: RtpDescription;
  /** Number of simulcast or SVC layers; 1 and 1 without layers. */
  layers: { spatial: number; temporal: number };
}

/** 0 is the lowest. */
export interface PreferredLayers {
  spatialLayer: number;
  temporalLayer?: number;
}

export interface OpenMemberRequest {
  meetingID: string;
  /** A participant, or an external session that publishes by `service-webrtc`. */
  participantID: string;
}

export interface PublishTrackRequest {
  participantID: string;
  transportID: string;
  source: TrackSource;
  rtpParameters: RtpDescription;
  /** Maximum bits per second of all tracks of the transport. */
  maxBitrate?: number;
}

/** Events of a room's media. */
export interface RoomMediaEvents {
  /** The active speaker, undefined in silence. At most one change per 300 ms. */
  'speaker.changed': { participantID: string | undefined };
  /** A track ended because its transport or its media worker was lost. */
  'track.ended': { participantID: string; trackID: string };
  /** `isReplaced`: the same track goes on from another encoder. */
  'subscription.ended': { participantID: string; subscriptionID: string; isReplaced?: boolean };
  /** The layers that a subscriber receives; undefined if it receives none. */
  'subscription.layers': { participantID: string; subscriptionID: string; layers: PreferredLayers | undefined };
  /** The member's transports are lost. The client must open its media again. */
  'media.lost': { participantID: string };
}

/** Announced on `roomMediaEventSubject`. It is not stored. */
export type RoomMediaEvent = {
  [Type in keyof RoomMediaEvents]: { type: Type; meetingID: string } & RoomMediaEvents[Type];
}[keyof RoomMediaEvents];

export const roomMediaEventSubject = 'rtms.room-event';
