import type {
  RoomEvent,
  RoomSignal,
  ServerToClientEvents,
  SocketAnswer,
  SocketAuth,
  SocketCommand,
  SocketWelcome,
} from '@rtms/contracts';
import type { RtmsError } from '../rtms-error.js';

export type Farewell = Parameters<ServerToClientEvents['farewell']>[0];
export type FreshToken = Parameters<ServerToClientEvents['token']>[0];

/** Hears of one connection; nothing after it was lost, refused or closed. */
export interface ConnectionListener {
  onWelcome(welcome: SocketWelcome): void;
  onEvent(event: RoomEvent): void;
  onSignal(signal: RoomSignal): void;
  onToken(token: FreshToken): void;
  onFarewell(farewell: Farewell): void;
  onLost(): void;
  /** The server answered the handshake with a failure. */
  onRefused(error: RtmsError): void;
}

export interface RoomConnection {
  send(command: SocketCommand, answer: (answer: SocketAnswer<unknown>) => void): void;
  close(): void;
}

/** Opens one connection to the room; whether and when another follows is not its concern. */
export type Connect = (auth: SocketAuth, listener: ConnectionListener) => RoomConnection;
