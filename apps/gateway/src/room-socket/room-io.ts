import type { ClientToServerEvents, ServerToClientEvents, SocketWelcome } from '@rtms/contracts';
import type { Server, Socket } from 'socket.io';
import type { RoomNews } from '../room-life/room-news.js';
import type { Actor } from './actor.js';

/** What the replicas of the gateway tell each other over socket.io's adapter. */
interface ReplicaEvents {
  news: (news: RoomNews) => void;
}

interface ConnectionData {
  actor: Actor;
  welcome: SocketWelcome;
  /** The log goes on from here. */
  sequence: number;
  /** Seconds since 1970. */
  tokenExpiresAt: number;
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, ConnectionData>;
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, ConnectionData>;
