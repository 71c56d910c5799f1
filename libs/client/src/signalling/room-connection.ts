import {
  type ClientToServerEvents,
  type RoomEvent,
  type RoomSignal,
  type ServerToClientEvents,
  type SocketAnswer,
  type SocketAuth,
  type SocketCommand,
  socketPath,
  type SocketWelcome,
} from '@rtms/contracts';
import type { Clock } from '@rtms/clock';
import { io, type Socket } from 'socket.io-client';
import { RtmsError } from './rtms-error.js';

export type Farewell = Parameters<ServerToClientEvents['farewell']>[0];
type FreshToken = Parameters<ServerToClientEvents['token']>[0];

/** Callbacks of one connection. None is called after the connection was lost, refused or closed. */
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

/** Opens one connection to the room. Does not reconnect. */
export type Connect = (auth: SocketAuth, listener: ConnectionListener) => RoomConnection;

/** Limit from the first packet to the welcome. */
const welcomeWithinMs = 15_000;

/** `url` comes from the join ticket. */
export function socketIoConnector(url: string, clock: Clock): Connect {
  const { origin, pathname } = new URL(url);
  const path = pathname === '/' ? socketPath : pathname;
  return (auth, listener) => {
    const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(origin, {
      path,
      addTrailingSlash: false,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      timeout: welcomeWithinMs,
      auth: { ...auth },
    });
    const close = follow(socket, clock, listener);
    return { send: (command, answer) => void socket.emit('command', command, answer), close };
  };
}

/** Forwards the socket's events to the listener. Returns a function that closes the connection. */
function follow(
  socket: Socket<ServerToClientEvents, ClientToServerEvents>,
  clock: Clock,
  listener: ConnectionListener,
): () => void {
  const close = () => {
    overdue.cancel();
    socket.removeAllListeners();
    socket.close();
  };
  const lose = () => {
    close();
    listener.onLost();
  };
  const overdue = clock.after(welcomeWithinMs, lose);
  socket.on('welcome', welcome => {
    overdue.cancel();
    listener.onWelcome(welcome);
  });
  socket.on('event', event => listener.onEvent(event));
  socket.on('signal', signal => listener.onSignal(signal));
  socket.on('token', token => listener.onToken(token));
  socket.on('farewell', farewell => listener.onFarewell(farewell));
  socket.on('disconnect', lose);
  socket.on('connect_error', error => {
    const refusal = refusalOf(error);
    close();
    if (refusal) listener.onRefused(refusal);
    else listener.onLost();
  });
  return close;
}

function refusalOf(error: Error & { data?: unknown }): RtmsError | undefined {
  const failure = error.data as Extract<SocketAnswer<never>, { success: false }> | undefined;
  return failure && new RtmsError(failure.code, failure.error, failure.reason);
}
