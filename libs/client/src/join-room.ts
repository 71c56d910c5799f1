import { systemClock } from '@rtms/clock';
import { Device } from 'mediasoup-client';
import { Room } from './room.js';
import { RoomSession } from './room-session.js';
import { socketIoConnector } from './signalling/room-connection.js';

/** `url` and `token` come from the `join` object that the application server received. */
export interface JoinOptions {
  url: string;
  token: string;
  /** Called when the token expired while the page was offline. Without it, the room then ends for this member. */
  renewToken?: () => Promise<string>;
  /** Limit for the first connection, with all attempts, in ms. Default: 15,000. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;

/** Joins a room as a member, or as the publisher of an external session, depending on the token. Rejects with an `RtmsError`. */
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

/** `crypto.randomUUID` does not exist on pages without TLS. */
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
