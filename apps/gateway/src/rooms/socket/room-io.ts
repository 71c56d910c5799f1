import { Injectable } from '@nestjs/common';
import type {
  ClientToServerEvents,
  JoinToken,
  ParticipantRole,
  ServerToClientEvents,
  SocketCommandName,
  SocketWelcome,
} from '@rtms/contracts';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { AnyCommand } from './command-schemas.js';

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, Admission>;
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, Admission>;

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

/** The media commands of the room socket. The media domain implements them. */
export interface MediaCommands {
  /** Whether `perform` knows the command. */
  takes(name: SocketCommandName): boolean;
  perform(actor: Actor, command: AnyCommand): Promise<object>;
  /** Admits the publisher of an external session. Throws CONFLICT, `session_ended`, after the session's end. */
  admitPublisher(token: JoinToken, connectionID: string): Promise<Admission>;
  publisherLeaves(sessionID: string): Promise<void>;
}

/** Holds the media domain's commands, which rooms must not import: the media domain registers them before it starts. */
@Injectable()
export class MediaCommandsRegistry {
  private registered: MediaCommands | undefined;

  register(commands: MediaCommands): void {
    this.registered = commands;
  }

  get commands(): MediaCommands {
    if (!this.registered) throw new Error('The media domain has not registered its commands.');
    return this.registered;
  }
}
