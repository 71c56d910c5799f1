import type { Nothing } from './vocabulary/bus-address.js';
import type {
  OpenedMemberTransport,
  PreferredLayers,
  RestartedIce,
  RtpDescription,
  SubscriptionParameters,
  TrackSource,
} from './vocabulary/member-media.js';
import type { ErrorCode, ErrorReason } from './vocabulary/errors.js';
import type { MediaKind } from './vocabulary/codecs.js';
import type { EndReason, HealthCode, TrackState } from './vocabulary/states.js';
import type { ParticipantRole } from './vocabulary/token-claims.js';

export const socketPath = '/v1/socket';

export const participantRequests = ['audio', 'video', 'screenshare', 'raiseHand'] as const;
export type ParticipantRequest = (typeof participantRequests)[number];
export type RequestStatus = 'accepted' | 'pending' | 'rejected';

/** A track in the roster. */
export interface RoomTrack {
  trackID: string;
  kind: MediaKind;
  source: TrackSource;
  /** As in `a=rtpmap`, e.g. `VP8`, `opus`. */
  codec: string;
  state: TrackState;
}

/** A member or an external session in the room. */
export interface RosterEntry {
  participantID: string;
  kind: 'member' | 'externalSession';
  userName: string;
  role: ParticipantRole;
  /** False while a lost connection may recover. */
  isConnected: boolean;
  tracks: RoomTrack[];
  /** Sources that the participant may publish without a request. */
  mayPublish: TrackSource[];
  /** Pending requests and raised hands. */
  requests: ParticipantRequest[];
  /** Name of the breakout group; null in the main room. */
  breakout: string | null;
  /** Whiteboard permission; null without a whiteboard. */
  whiteboard: 'view' | 'draw' | null;
  health: HealthCode[];
}

export interface ChatMessage {
  messageID: string;
  senderID: string;
  senderName: string;
  /** null: to all participants. */
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
  /** Votes by option. While the poll is open, only hosts get them and others get null. */
  results: number[] | null;
  createdBy: string;
}

export interface RoomSnapshot {
  meetingID: string;
  roster: RosterEntry[];
  /** The last 100 messages that the member may read, oldest first. */
  chat: ChatMessage[];
  polls: Poll[];
}

/** Changes of a room's state, in order. `sequence` increases within a room, with gaps for events to other members. */
export interface RoomEvents {
  'participant.joined': { participant: RosterEntry };
  /** Any change of a roster entry: state, role, tracks, requests or assignments. */
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

/** The types of a command's request and reply. */
interface Command<Request, Reply = Nothing> {
  request: Request;
  reply: Reply;
}

/** Commands of a member. The server answers each with a `SocketAnswer`. */
export interface SocketCommands {
  'chat.send': Command<{ message: string; recipientID?: string }, { messageID: string }>;
  'poll.create': Command<{ question: string; options: string[] }, { pollID: string }>;
  'poll.vote': Command<{ pollID: string; choice: number }>;
  'poll.end': Command<{ pollID: string }, { results: number[] }>;
  'participant.request': Command<{ request: ParticipantRequest; active?: boolean }, { status: RequestStatus }>;
  /** Hosts only. Answers a pending request. Either answer lowers a raised hand. */
  'request.decide': Command<{ participantID: string; request: ParticipantRequest; accept: boolean }>;
  /** Hosts only. Pauses a track of another participant. Only that participant can resume it. */
  'participant.mute': Command<{ participantID: string; source: TrackSource }>;
  'participant.remove': Command<{ participantID: string }>;
  /** Hosts only. Makes a viewer a participant. */
  'participant.admit': Command<{ participantID: string }>;
  'breakout.assign': Command<{ participantID: string; breakout: string | null }>;
  'whiteboard.assign': Command<{ participantID: string; whiteboard: 'view' | 'draw' | null }>;
  leave: Command<Nothing>;
  'media.open': Command<
    Nothing,
    /** Limits for sending: `maxHeight` in lines, `maxBitrate` in bits per second for all tracks. */
    { routerRtpCapabilities: RtpDescription; maxHeight: number; maxBitrate: number }
  >;
  'media.openTransport': Command<{ direction: 'send' | 'receive' }, OpenedMemberTransport>;
  'media.connectTransport': Command<{ transportID: string; dtlsParameters: Record<string, unknown> }>;
  'media.restartIce': Command<{ transportID: string }, RestartedIce>;
  'media.publish': Command<
    { transportID: string; source: TrackSource; rtpParameters: RtpDescription },
    { trackID: string }
  >;
  'media.pauseTrack': Command<{ trackID: string }>;
  'media.resumeTrack': Command<{ trackID: string }>;
  'media.closeTrack': Command<{ trackID: string }>;
  'media.subscribe': Command<
    { transportID: string; trackID: string; rtpCapabilities: RtpDescription },
    SubscriptionParameters
  >;
  'media.updateSubscription': Command<{ subscriptionID: string; paused?: boolean; layers?: PreferredLayers }>;
  'media.unsubscribe': Command<{ subscriptionID: string }>;
}
export type SocketCommandName = keyof SocketCommands;

/**
 * A command message. The server executes a command that is repeated with the same `commandID` once and repeats the answer. The client
 * chooses `commandID`: 1 to 64 characters of `A-Za-z0-9_-`.
 */
export interface SocketCommand<Name extends SocketCommandName = SocketCommandName> {
  commandID: string;
  name: Name;
  request: SocketCommands[Name]['request'];
}

export type SocketAnswer<Reply> =
  | ({ success: true } & Reply)
  | { success: false; error: string; code: ErrorCode; reason?: ErrorReason };

/** `auth` of the handshake. `after` is the last sequence that the client has received. */
export interface SocketAuth {
  token: string;
  after?: number;
}

export interface SocketWelcome {
  participantID: string;
  role: ParticipantRole;
  /** The state at `sequence`; absent if the events since `after` follow. */
  snapshot?: RoomSnapshot;
  sequence: number;
}

/** Events of the server (Socket.IO). `signal` is not repeated after a lost connection. */
export interface ServerToClientEvents {
  welcome: (welcome: SocketWelcome) => void;
  event: (event: RoomEvent) => void;
  signal: (signal: RoomSignal) => void;
  /** A new token for the next connection, sent before the last one expires. */
  token: (token: { token: string; expiresAt: string }) => void;
  /** The connection has ended. The client must not reconnect. */
  farewell: (farewell: { reason: EndReason | 'replaced' }) => void;
}

export type RoomSignal =
  | { type: 'speaker.changed'; participantID: string | null }
  /** `isReplaced`: the same track goes on from another encoder. Subscribe to it again. */
  | { type: 'subscription.ended'; subscriptionID: string; isReplaced?: boolean }
  | { type: 'subscription.layers'; subscriptionID: string; layers: PreferredLayers | null }
  | { type: 'media.lost' };

export interface ClientToServerEvents {
  command: (command: SocketCommand, answer: (answer: SocketAnswer<unknown>) => void) => void;
}
