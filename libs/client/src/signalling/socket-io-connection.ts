import type { Clock } from '@rtms/clock';
import type { ClientToServerEvents, ServerToClientEvents, SocketAnswer } from '@rtms/contracts';
import { socketPath } from '@rtms/contracts';
import { io, type Socket } from 'socket.io-client';
import { RtmsError } from '../rtms-error.js';
import type { Connect, ConnectionListener } from './room-connection.js';

/** From the first packet to the welcome. */
const welcomeWithinMs = 15_000;

/** `url` is the join ticket's. */
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

/** Tells the listener until the connection is over. Returns a function that ends the connection. */
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
