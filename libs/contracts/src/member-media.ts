import type { MediaKind } from './codecs.js';

/** What a member's track shows; each member publishes at most one of each. */
export const trackSources = ['microphone', 'camera', 'screen', 'screenAudio'] as const;
export type TrackSource = (typeof trackSources)[number];

export function kindOfSource(source: TrackSource): MediaKind {
  return source === 'microphone' || source === 'screenAudio' ? 'audio' : 'video';
}

/** RTP capabilities or parameters as mediasoup and mediasoup-client write them; the gateway only passes them on. */
export type RtpDescription = Record<string, unknown>;

/** What mediasoup-client's `createSendTransport` and `createRecvTransport` take. */
export interface MemberTransportParameters {
  transportID: string;
  iceParameters: Record<string, unknown>;
  iceCandidates: Record<string, unknown>[];
  dtlsParameters: Record<string, unknown>;
}

/** One track as a member receives it: what mediasoup-client's `consume` takes. It starts paused. */
export interface SubscriptionParameters {
  subscriptionID: string;
  trackID: string;
  kind: MediaKind;
  rtpParameters: RtpDescription;
  /** Simulcast or SVC layers that can be chosen; 1 and 1 when there is nothing to choose. */
  layers: { spatial: number; temporal: number };
}

/** 0 is the lowest. */
export interface PreferredLayers {
  spatialLayer: number;
  temporalLayer?: number;
}

export interface OpenMemberRequest {
  meetingID: string;
  /** A participant, or an external session whose publisher comes by `service-webrtc`. */
  participantID: string;
}

export interface PublishTrackRequest {
  participantID: string;
  transportID: string;
  source: TrackSource;
  rtpParameters: RtpDescription;
  /** Bits a second that all tracks of the transport may send together. */
  maxBitrate?: number;
}

/** What a member's media can do on its room's node, and what happens to it meanwhile. */
export interface RoomMediaEvents {
  /** The one who speaks, undefined in silence; at most one change every 300 ms. */
  'speaker.changed': { participantID: string | undefined };
  /** A track is gone by itself: its transport was lost, or the media worker died. */
  'track.ended': { participantID: string; trackID: string };
  'subscription.ended': { participantID: string; subscriptionID: string };
  /** The layers that a subscriber gets now; undefined when none arrives. */
  'subscription.layers': { participantID: string; subscriptionID: string; layers: PreferredLayers | undefined };
  /** The member's transports are gone: it must open its media anew. */
  'media.lost': { participantID: string };
}

/** Travels on `roomMediaEvents(meetingID)`, for whoever listens at that moment; nothing of it is stored. */
export type RoomMediaEvent = {
  [Type in keyof RoomMediaEvents]: { type: Type; meetingID: string } & RoomMediaEvents[Type];
}[keyof RoomMediaEvents];

export const roomMediaEventSubject = 'rtms.room-event';
