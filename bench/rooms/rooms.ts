// CPU and memory of the media worker for each member of a room, beside bare mediasoup with the same streams. All
// members publish and watch. Then the delivery of chat through one gateway. Prints one JSON line. After `npm run
// build`.
//   npm run bench:rooms -- [members, as 4,8,16] [seconds a window] [connections] [rooms]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RoomClient } from '../../apps/gateway/src/testing/room-client.js';
import { startStack } from '../../test/system/harness/stack.js';
import { pidOfUdpPort } from '../fanout/udp-port-owner.js';
import { cpuSeconds, residentKilobytes } from '../process-usage.js';
import { measureChat } from './chat-delivery.js';
import { RoomPeer, type Ask } from './room-peer.js';

/** Adds members to a new room, and ends it. */
interface Room {
  enter(): Promise<Ask>;
  end(): Promise<unknown>;
}

interface Window {
  cpuMsPerSecondAndMember: number;
  residentKilobytesPerMember: number;
  /** Packets a second that a member receives: 80 from each other member when none is lost. */
  packetsPerSecond: number;
}

const [sizes = '4,8,16', seconds = '10', connections = '2000', rooms = '200'] = process.argv.slice(2);
/** Joining costs CPU too, and has ended by then. */
const settleMs = 2_000;
const noLimits = {
  ...{ RATE_LIMIT_KEY_READS: '0', RATE_LIMIT_KEY_WRITES: '0' },
  ...{ RATE_LIMIT_ADDRESS_READS: '0', RATE_LIMIT_ADDRESS_WRITES: '0', RATE_LIMIT_ADDRESS_HANDSHAKES: '0' },
  MAX_CONNECTIONS_PER_ADDRESS: '0',
};

const stack = await startStack({ env: { ...noLimits, CONSUMERS_PER_WORKER: '2000' }, dedicatedPostgres: true });
// A session of its own, as the service has: Linux shares the CPU between sessions first (sched(7), autogroup).
const bare = fork(fileURLToPath(new URL('bare-room.ts', import.meta.url)), { detached: true });
try {
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const open = { service: openRoom, bare: async () => bareRoom(bareUrl) };
  const members: Record<string, unknown> = {};
  for (const size of sizes.split(',').map(Number)) {
    const windows = { service: [] as Window[], bare: [] as Window[] };
    // In the order A B B A, so that a drift of the machine meets both.
    for (const name of ['service', 'bare', 'bare', 'service'] as const)
      windows[name].push(await measure(await open[name](), size));
    members[size] = { ratio: round(cpuOf(windows.service) / cpuOf(windows.bare)), ...windows };
  }
  const options = { connections: Number(connections), rooms: Number(rooms), seconds: Number(seconds) };
  const chatMs = await measureChat(stack.api, options);
  console.log(JSON.stringify({ bench: 'rooms', seconds: Number(seconds), aimRatio: 1.1, members, chatMs }));
} finally {
  bare.disconnect();
  await stack.close();
}
process.exit();

async function openRoom(): Promise<Room> {
  const meetingID = await stack.api.createRoom();
  const clients: RoomClient[] = [];
  return {
    async enter() {
      const { url, token } = await stack.api.join(meetingID, 'member', 'host');
      const client = await RoomClient.connect(new URL(url).origin, token);
      clients.push(client);
      return (name, request) => client.must(name, request);
    },
    async end() {
      await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
      for (const client of clients) client.close();
    },
  };
}

function bareRoom(url: string): Room {
  const ask: Ask = async (name, request) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ name, request }) });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    return (await response.json()) as never;
  };
  return { enter: () => Promise.resolve(ask), end: () => ask('leave', {}) };
}

async function measure(room: Room, size: number): Promise<Window> {
  const peers: RoomPeer[] = [];
  const tracks: string[][] = [];
  try {
    for (let index = 0; index < size; index++) {
      const peer = new RoomPeer(await room.enter());
      peers.push(peer);
      tracks.push(await peer.publish());
    }
    const worker = pidOfUdpPort(peers[0]?.mediaPort ?? 0);
    const memory = residentKilobytes(worker);
    await Promise.all(peers.map((peer, own) => peer.watch(tracks.filter((_, index) => index !== own).flat())));
    await pause(settleMs);
    const [cpu, at, counted] = [cpuSeconds(worker), performance.now(), countedBy(peers)];
    await pause(Number(seconds) * 1000);
    const [used, wall] = [cpuSeconds(worker) - cpu, (performance.now() - at) / 1000];
    return {
      cpuMsPerSecondAndMember: round((used * 1000) / wall / size),
      residentKilobytesPerMember: Math.round((residentKilobytes(worker) - memory) / size),
      packetsPerSecond: round((countedBy(peers) - counted) / wall / size),
    };
  } finally {
    for (const peer of peers) peer.close();
    await room.end();
  }
}

function countedBy(peers: readonly RoomPeer[]): number {
  return peers.reduce((sum, { counted }) => sum + counted, 0);
}

function cpuOf(windows: readonly Window[]): number {
  return windows.reduce((sum, { cpuMsPerSecondAndMember }) => sum + cpuMsPerSecondAndMember, 0) / windows.length;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
