import { systemClock } from '@rtms/clock';
import { Device } from 'mediasoup-client';
import { Room } from './room.js';
import { RoomSession } from './room-session.js';
import { socketIoConnector } from './signalling/socket-io-connection.js';

/** `url` and `token` are those of the `join` that the service gave the application server. */
export interface JoinOptions {
  url: string;
  token: string;
  /** Asked when the token expired while the page was offline. Without it the room is over then. */
  renewToken?: () => Promise<string>;
  /** How long to try before giving up the first time; default 15,000. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;

/** Joins as the token says: as a member, or as the publisher of an external session. Rejects with an `RtmsError`. */
export async function joinRoom({ url, token, renewToken, timeoutMs = defaultTimeoutMs }: JoinOptions): Promise<Room> {
  const session = new RoomSession({
    connect: socketIoConnector(url, systemClock),
    token,
    renewToken,
    clock: systemClock,
    newID: () => newCommandID(),
    random: () => Math.random(),
    createDevice: () => new Device(),
  });
  await session.join(timeoutMs);
  hurryWhenOnline(session);
  return new Room(session);
}

/** Also on pages without TLS, where `crypto.randomUUID` is not. */
function newCommandID(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

function hurryWhenOnline(session: RoomSession): void {
  const hurry = () => session.hurry();
  addEventListener('online', hurry);
  session.events.on('connection.changed', ({ state }) => {
    if (state === 'closed') removeEventListener('online', hurry);
  });
}
