import type { ClientToServerEvents, ServerToClientEvents, ParticipantRole, SocketWelcome } from '@rtms/contracts';
import type { Server, Socket } from 'socket.io';
import type { RoomNotice } from '../life/room-change.js';

/** The messages between replicas over socket.io's adapter. */
interface ReplicaEvents {
  notice: (notice: RoomNotice) => void;
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, Admission>;
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, Admission>;

/** The participant of a connection, from its token and never from its commands. */
export interface Actor {
  participantID: string;
  meetingID: string;
  accountID: string;
  connectionID: string;
  /** Set for the publisher of an external session, which may only publish. */
  sessionID?: string | undefined;
  /** The role after the last event that changed it. Services read the participant's row instead. */
  role: ParticipantRole;
}

/** The data of an admitted connection. */
export interface Admission {
  actor: Actor;
  welcome: SocketWelcome;
  /** The client has all events up to this number. */
  sequence: number;
  /** Seconds since 1970. */
  tokenExpiresAt: number;
}
