// One attack in its own process, so that the load shares no event loop with the measurement.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { RoomClient } from '../../apps/gateway/src/testing/room-client.js';
import { chromiumWatches } from '../../apps/sfu/src/signalling/sdp/testing/client-offers.js';
import { playPart } from '../bench-process.js';
import type { AttackCounts, AttackTask } from './attack.js';

/** Not the address of the measured tenant, which limits per address must not protect. */
const localAddress = '127.0.0.2';
const agent = new Agent({ keepAlive: true, localAddress, maxSockets: 32 });
/** A request without an answer by then counts as `timeout`. */
const requestMs = 30_000;

const counts: AttackCounts = {};

/** An attack calls `begin` once it runs, and ends when its signal aborts. */
interface Progress {
  begin: () => void;
  stop: AbortSignal;
}

function count(outcome: string): void {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

function post(url: string, token: string, body: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/sdp',
    'content-length': body.length,
  };
  return new Promise(resolve => {
    const sent = request(url, { method: 'POST', agent, headers }, response => {
      response.resume().once('end', () => resolve(String(response.statusCode)));
    });
    sent.setTimeout(requestMs, () => {
      resolve('timeout');
      sent.destroy();
    });
    sent.once('error', () => resolve('error'));
    sent.end(body);
  });
}

async function repeat(atOnce: number, act: () => Promise<string>, { begin, stop }: Progress): Promise<void> {
  begin();
  const loop = async (): Promise<void> => {
    while (!stop.aborted) count(await act());
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** 120 codecs, and as many lines of feedback for all of them as fit into 190 KB. */
function hostileOffer(): string {
  const codecs = Array.from({ length: 120 }, (_, index) => `a=rtpmap:${index} X${index}/90000\r\n`).join('');
  const offer = `${chromiumWatches()}${codecs}`;
  const line = 'a=rtcp-fb:* x\r\n';
  return offer + line.repeat(Math.floor((190_000 - offer.length) / line.length));
}

/** Each sends as much as one connection may, without waiting for answers. */
async function chat(origin: string, tokens: readonly string[], { begin, stop }: Progress): Promise<void> {
  const members = await Promise.all(tokens.map(token => RoomClient.connect(origin, token)));
  begin();
  while (!stop.aborted) {
    for (const { socket } of members) {
      const command = { commandID: nanoid(), name: 'chat.send' as const, request: { message: 'Hello '.repeat(20) } };
      socket.emit('command', command, (answer: { success: boolean; reason?: string }) =>
        count(answer.success ? 'accepted' : (answer.reason ?? 'refused')),
      );
    }
    await pause(50);
  }
  for (const member of members) member.close();
}

/** Requests that never end, a byte a second each. */
async function openSlowSockets(urls: readonly string[], sockets: number, { begin, stop }: Progress): Promise<void> {
  const open = new Set<Socket>();
  const openOne = (url: string): void => {
    const { port, hostname: host } = new URL(url);
    const socket = connect({ port: Number(port), host, localAddress });
    open.add(socket);
    socket.once('connect', () => {
      count('opened');
      socket.write('POST /whep/play_1 HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      count('closed');
    });
  };
  begin();
  while (!stop.aborted) {
    for (let missing = Math.min(200, sockets - open.size); missing > 0; missing--)
      openOne(urls[missing % urls.length] ?? '');
    for (const socket of open) if (socket.writable) socket.write('x');
    await pause(1_000);
  }
  for (const socket of open) socket.destroy();
}

async function attack(task: AttackTask, progress: Progress): Promise<void> {
  switch (task.kind) {
    case 'offers': {
      const offer = hostileOffer();
      return repeat(8, () => post(task.endpoint, task.token, offer), progress);
    }
    case 'viewers':
      return repeat(16, () => post(task.endpoint, task.token, chromiumWatches()), progress);
    case 'chat':
      return chat(task.origin, task.tokens, progress);
    case 'sockets':
      return openSlowSockets(task.urls, task.sockets, progress);
  }
}

playPart<AttackTask>(async (task, begin, stop) => {
  await attack(task, { begin, stop });
  return counts;
});
