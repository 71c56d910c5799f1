import type { ClientToServerEvents, ServerToClientEvents } from '@rtms/contracts';
import type { Server, Socket } from 'socket.io';
import type { RoomNews } from '../room-life/room-news.js';
import type { Admission } from './admission.js';

/** What the replicas of the gateway tell each other over socket.io's adapter. */
interface ReplicaEvents {
  news: (news: RoomNews) => void;
}

export type RoomServer = Server<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, Admission>;
export type RoomSocket = Socket<ClientToServerEvents, ServerToClientEvents, ReplicaEvents, Admission>;
