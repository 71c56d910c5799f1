import type {
  MemberTransportParameters,
  PreferredLayers,
  RtpDescription,
  SubscriptionParameters,
  TrackSource,
} from './member-media.js';
import type { ErrorCode, ErrorReason } from './errors.js';
import type { MediaKind } from './codecs.js';
import type { EndReason, HealthCode, TrackState } from './states.js';
import type { ParticipantRole } from './token-claims.js';

export const socketPath = '/v1/socket';

export const participantRequests = ['audio', 'video', 'screenshare', 'raiseHand'] as const;
export type ParticipantRequest = (typeof participantRequests)[number];
export type RequestStatus = 'accepted' | 'pending' | 'rejected';

/** A track as everybody in the room sees it. */
export interface RoomTrack {
  trackID: string;
  kind: MediaKind;
  source: TrackSource;
  /** As in `a=rtpmap`, e.g. `VP8`, `opus`. */
  codec: string;
  state: TrackState;
}

/** Somebody in the room: a member, or an external session, which is one of its kind. */
export interface RosterEntry {
  participantID: string;
  kind: 'member' | 'externalSession';
  userName: string;
  role: ParticipantRole;
  /** False while a lost connection may still come back. */
  isConnected: boolean;
  tracks: RoomTrack[];
  /** What it may publish without asking. */
  mayPublish: TrackSource[];
  /** Requests that a host has not answered, and raised hands. */
  requests: ParticipantRequest[];
  /** The name of its breakout group; null in the main room. */
  breakout: string | null;
  /** Whether it may draw; null when it has no whiteboard. */
  whiteboard: 'view' | 'draw' | null;
  health: HealthCode[];
}

export interface ChatMessage {
  messageID: string;
  senderID: string;
  senderName: string;
  /** null: to everybody. */
  recipientID: string | null;
  message: string;
  /** RFC 3339 */
  sentAt: string;
}

export interface Poll {
  pollID: string;
  question: string;
  options: string[];
  state: 'open' | 'ended';
  /** Votes for each option; while the poll is open, hosts alone see them and others get null. */
  results: number[] | null;
  createdBy: string;
}

export interface RoomSnapshot {
  meetingID: string;
  roster: RosterEntry[];
  /** The last 100 that the member may see, oldest first. */
  chat: ChatMessage[];
  polls: Poll[];
}

/** What changes a room's state, in order; `sequence` counts up within a room, with gaps where others are addressed. */
export interface RoomEvents {
  'participant.joined': { participant: RosterEntry };
  /** Everything of one entry of the roster that may change: state, role, tracks, requests, assignments. */
  'participant.changed': { participant: RosterEntry };
  'participant.left': { participantID: string; reason: EndReason };
  'chat.message': { message: ChatMessage };
  'poll.created': { poll: Poll };
  'poll.voted': { pollID: string; results: number[] | null };
  'poll.ended': { poll: Poll };
  'room.ended': { reason: EndReason };
}
export type RoomEvent = {
  [Type in keyof RoomEvents]: { type: Type; sequence: number; at: string } & RoomEvents[Type];
}[keyof RoomEvents];

/** What a member asks for, each answered by `SocketAnswer`. */
export interface SocketCommands {
  'chat.send': { request: { message: string; recipientID?: string }; reply: { messageID: string } };
  'poll.create': { request: { question: string; options: string[] }; reply: { pollID: string } };
  'poll.vote': { request: { pollID: string; choice: number }; reply: Record<string, never> };
  'poll.end': { request: { pollID: string }; reply: { results: number[] } };
  'participant.request': {
    request: { request: ParticipantRequest; active?: boolean };
    reply: { status: RequestStatus };
  };
  /** Of hosts: answers a pending request; a raised hand is lowered either way. */
  'request.decide': {
    request: { participantID: string; request: ParticipantRequest; accept: boolean };
    reply: Record<string, never>;
  };
  /** Of hosts: pauses a track of somebody else, who alone can resume it. */
  'participant.mute': { request: { participantID: string; source: TrackSource }; reply: Record<string, never> };
  'participant.remove': { request: { participantID: string }; reply: Record<string, never> };
  /** Of hosts: makes a viewer a participant. */
  'participant.admit': { request: { participantID: string }; reply: Record<string, never> };
  'breakout.assign': { request: { participantID: string; breakout: string | null }; reply: Record<string, never> };
  'whiteboard.assign': {
    request: { participantID: string; whiteboard: 'view' | 'draw' | null };
    reply: Record<string, never>;
  };
  leave: { request: Record<string, never>; reply: Record<string, never> };
  'media.open': {
    request: Record<string, never>;
    /** `maxHeight` (lines of video) and `maxBitrate` (bits a second, all tracks together) bound what it may send. */
    reply: { routerRtpCapabilities: RtpDescription; iceServers: unknown[]; maxHeight: number; maxBitrate: number };
  };
  'media.openTransport': { request: { direction: 'send' | 'receive' }; reply: MemberTransportParameters };
  'media.connectTransport': {
    request: { transportID: string; dtlsParameters: Record<string, unknown> };
    reply: Record<string, never>;
  };
  'media.restartIce': { request: { transportID: string }; reply: { iceParameters: Record<string, unknown> } };
  'media.publish': {
    request: { transportID: string; source: TrackSource; rtpParameters: RtpDescription };
    reply: { trackID: string };
  };
  'media.pauseTrack': { request: { trackID: string }; reply: Record<string, never> };
  'media.resumeTrack': { request: { trackID: string }; reply: Record<string, never> };
  'media.closeTrack': { request: { trackID: string }; reply: Record<string, never> };
  'media.subscribe': {
    request: { transportID: string; trackID: string; rtpCapabilities: RtpDescription };
    reply: SubscriptionParameters;
  };
  'media.updateSubscription': {
    request: { subscriptionID: string; paused?: boolean; layers?: PreferredLayers };
    reply: Record<string, never>;
  };
  'media.unsubscribe': { request: { subscriptionID: string }; reply: Record<string, never> };
}
export type SocketCommandName = keyof SocketCommands;

/**
 * A command as it travels: repeated with the same `commandID` after a lost connection, it is done once and answered
 * alike. `commandID`: 1–64 of `A-Za-z0-9_-`, the member's own choice.
 */
export interface SocketCommand<Name extends SocketCommandName = SocketCommandName> {
  commandID: string;
  name: Name;
  request: SocketCommands[Name]['request'];
}

export type SocketAnswer<Reply> =
  ({ success: true } & Reply) | { success: false; error: string; code: ErrorCode; reason?: ErrorReason };

/** The handshake's `auth`. `after` is the last sequence that the client has seen, to go on from there. */
export interface SocketAuth {
  token: string;
  after?: number;
}

export interface SocketWelcome {
  participantID: string;
  role: ParticipantRole;
  /** The state as of `sequence`; left out when the events since `after` follow instead. */
  snapshot?: RoomSnapshot;
  sequence: number;
}

/** socket.io's events from the server. `signal` is of the moment: it is not repeated after a lost connection. */
export interface ServerToClientEvents {
  welcome: (welcome: SocketWelcome) => void;
  event: (event: RoomEvent) => void;
  signal: (signal: RoomSignal) => void;
  /** A fresh token for the next connection, in time before the last one expires. */
  token: (token: { token: string; expiresAt: string }) => void;
  /** The connection is over for good and must not be tried again. */
  farewell: (farewell: { reason: EndReason | 'replaced' }) => void;
}

export type RoomSignal =
  | { type: 'speaker.changed'; participantID: string | null }
  | { type: 'subscription.ended'; subscriptionID: string }
  | { type: 'subscription.layers'; subscriptionID: string; layers: PreferredLayers | null }
  | { type: 'media.lost' };

export interface ClientToServerEvents {
  command: (command: SocketCommand, answer: (answer: SocketAnswer<unknown>) => void) => void;
}
