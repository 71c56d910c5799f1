import { setTimeout as pause } from 'node:timers/promises';
import { RoomClient } from '../../apps/gateway/src/testing/room-client.js';
import type { ApiClient } from '../../test/system/harness/api-client.js';
import { percentile } from '../percentile.js';

export interface ChatDelivery {
  connections: number;
  rooms: number;
  messagesPerSecond: number;
  deliveries: number;
  missing: number;
  p50: number;
  p99: number;
}

const connectingAtOnce = 10;
const messagesPerSecond = 20;
const settleMs = 2_000;

/** How long a message takes from the sender's socket to each other member's, in ms. */
export async function measureChat(
  api: ApiClient,
  { connections, rooms, seconds }: { connections: number; rooms: number; seconds: number },
): Promise<ChatDelivery> {
  const meetings = await Promise.all(Array.from({ length: rooms }, () => api.createRoom()));
  const members = meetings.map((): RoomClient[] => []);
  const sentAt = new Map<string, number>();
  const delays: number[] = [];
  const connect = async (index: number): Promise<void> => {
    const room = index % rooms;
    const { url, token } = await api.join(meetings[room] ?? '', `member ${index}`);
    const member = await RoomClient.connect(new URL(url).origin, token);
    members[room]?.push(member);
    member.socket.on('event', event => {
      if (event.type !== 'chat.message' || event.message.senderID === member.id) return;
      const sent = sentAt.get(event.message.message);
      if (sent !== undefined) delays.push(performance.now() - sent);
    });
  };
  for (let first = 0; first < connections; first += connectingAtOnce) {
    const count = Math.min(connectingAtOnce, connections - first);
    await Promise.all(Array.from({ length: count }, (_, offset) => connect(first + offset)));
  }
  await pause(settleMs);
  let expected = 0;
  const answers: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < seconds * messagesPerSecond; number++) {
    await pause(Math.max(0, (number * 1000) / messagesPerSecond - (performance.now() - startedAt)));
    const room = members[number % rooms] ?? [];
    const message = `message ${number}`;
    sentAt.set(message, performance.now());
    expected += room.length - 1;
    answers.push(room[Math.floor(number / rooms) % room.length]!.must('chat.send', { message }));
  }
  await Promise.all(answers);
  await pause(settleMs);
  for (const member of members.flat()) member.close();
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  const missing = expected - delays.length;
  return { connections, rooms, messagesPerSecond, deliveries: delays.length, missing, p50, p99 };
}
