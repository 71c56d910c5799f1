/**
 * Measures deliveries to one webhook while rooms come and go. Then kills the gateway and the receiver
 * again and again. Counts deliveries that are lost or out of order.
 * `npm run bench:webhooks -- [rounds] [rooms]` after `npm run build`; prints one JSON line. Starts PostgreSQL, NATS, a gateway and a
 * receiver of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, waitFor } from '@rtms/testing';
import pg from 'pg';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { percentile } from '../percentile.js';
import type { Received } from './receiver-process.js';

const [rounds = 50, rooms = 1_000] = process.argv.slice(2).map(Number);
const aim = { p50Ms: 100, p99Ms: 1_000, deliveriesPerSecond: 500, lost: 0, outOfOrder: 0 };
const eventTypes = ['room.*'];
/** A killed gateway's deliveries wait for the end of their lease, failed ones for the back-off. */
const patienceMs = 300_000;
/** A third of the events of a room each. */
const pacedRoomsPerSecond = 20;
const roomsAtOnce = 16;
const roomsInRound = 40;

class Receiver {
  private child: ChildProcess | undefined;

  constructor(
    private readonly port: number,
    private readonly file: string,
  ) {
    writeFileSync(file, '');
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  async start(): Promise<void> {
    const program = ['--import', 'tsx', 'bench/webhooks/receiver-process.ts', String(this.port), this.file];
    this.child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(this.child.stdout!, 'data');
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  read(): Received[] {
    const lines = readFileSync(this.file, 'utf8').split('\n');
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as Received);
  }
}

async function post(
  gateway: RunningGateway,
  path: string,
  body: object,
): Promise<Record<string, Record<string, string>>> {
  const headers = { Authorization: gateway.authorization, 'Content-Type': 'application/json' };
  const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, Record<string, string>>;
}

/** Three events: created, updated, ended. */
async function comeAndGo(gateway: RunningGateway): Promise<void> {
  const { room } = await post(gateway, '/v1/rooms', { action: 'create', userName: 'Ada' });
  const meetingID = room!['meetingID']!;
  await post(gateway, '/v1/rooms', { action: 'update', meetingID, capacity: 30 });
  await post(gateway, '/v1/rooms', { action: 'end', meetingID });
}

/** At a constant pace, so that nothing waits for a queue. */
async function measureDelay(gateway: RunningGateway, receiver: Receiver) {
  const running: Promise<void>[] = [];
  for (let n = 0; n < rooms; n += 1) {
    running.push(comeAndGo(gateway));
    await pause(1_000 / pacedRoomsPerSecond);
  }
  await Promise.all(running);
  await waitFor(() => receiver.read().length >= 3 * rooms, {
    timeoutMs: patienceMs,
    everyMs: 250,
    what: 'all deliveries',
  });
  const delays = receiver.read().map(({ delayMs }) => delayMs);
  return { deliveries: delays.length, p50Ms: percentile(delays, 0.5), p99Ms: percentile(delays, 0.99) };
}

/** The changes are there before the webhook is enabled, so that only deliveries are measured. */
async function measureRate(gateway: RunningGateway, receiver: Receiver, webhookID: string): Promise<number> {
  const before = receiver.read().length;
  await post(gateway, '/v1/webhooks', { action: 'update', webhookID, enabled: false });
  const line = async (): Promise<void> => {
    for (let n = 0; n < rooms / roomsAtOnce; n += 1) await comeAndGo(gateway);
  };
  await Promise.all(Array.from({ length: roomsAtOnce }, line));
  const count = 3 * Math.ceil(rooms / roomsAtOnce) * roomsAtOnce;
  await post(gateway, '/v1/webhooks', { action: 'update', webhookID, enabled: true });
  await waitFor(() => receiver.read().length >= before + count, {
    timeoutMs: patienceMs,
    everyMs: 250,
    what: 'the backlog',
  });
  const times = receiver
    .read()
    .slice(before)
    .map(({ at }) => at);
  return Math.round(count / ((Math.max(...times) - Math.min(...times)) / 1_000));
}

/** In each round rooms come and go, and the gateway, the receiver or both are killed meanwhile. */
async function killRounds(gateway: RunningGateway, receiver: Receiver): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const lines = Array.from({ length: 4 }, async () => {
      // Requests to a killed gateway fail. Only what the database has counts.
      for (let n = 0; n < roomsInRound / 4; n += 1) await comeAndGo(gateway).catch(() => pause(50));
    });
    await pause(100 + (round % 5) * 40);
    if (round % 3 !== 1) await receiver.kill();
    if (round % 3 !== 0) await gateway.crash();
    if (round % 3 !== 1) await receiver.start();
    await Promise.all(lines);
    process.stderr.write(`bench: round ${round + 1} of ${rounds}\n`);
  }
}

interface Logged {
  id: string;
  meetingID: string;
}

/** Events of the log without a delivery, and rooms whose events came first in another order. */
function compare(logged: readonly Logged[], received: readonly Received[]) {
  const first = [...new Map([...received].reverse().map(each => [each.id, each])).values()].reverse();
  const known = new Set(first.map(({ id }) => id));
  const lost = logged.filter(({ id }) => !known.has(id)).length;
  const orderOf = (all: readonly Logged[]) => {
    const ofRooms = new Map<string, string[]>();
    for (const { id, meetingID } of all) ofRooms.set(meetingID, [...(ofRooms.get(meetingID) ?? []), id]);
    return ofRooms;
  };
  const [wanted, given] = [orderOf(logged), orderOf(first)];
  const outOfOrder = [...wanted].filter(([room, ids]) => (given.get(room) ?? ids).join() !== ids.join()).length;
  return { lost, outOfOrder, repeated: received.length - first.length };
}

const folder = mkdtempSync(join(tmpdir(), 'rtms-bench-webhooks-'));
const receiver = new Receiver(await freePort(), join(folder, 'received'));
const gateway = await startGateway([], { LOG_LEVEL: 'error', WEBHOOK_INSECURE_TARGETS: 'true' });
const database = new pg.Client({ connectionString: gateway.databaseUrl });
try {
  await receiver.start();
  await database.connect();
  const { webhook } = await post(gateway, '/v1/webhooks', { action: 'create', url: receiver.url, eventTypes });
  const delay = await measureDelay(gateway, receiver);
  const deliveriesPerSecond = await measureRate(gateway, receiver, webhook!['webhookID']!);
  const begun = performance.now();
  await killRounds(gateway, receiver);
  const isDone = async () => {
    const { rows } = await database.query<{ done: boolean }>(
      `SELECT q.pending = 0 AND c.sequence = log.last_sequence AND NOT EXISTS (SELECT 1 FROM event_outbox) AS done
       FROM webhooks w JOIN webhook_queues q ON q.webhook_id = w.id JOIN webhook_cursors c ON c.webhook_id = w.id
       JOIN event_counters log ON log.account_id = w.account_id`,
    );
    return rows[0]?.done === true;
  };
  await waitFor(isDone, { timeoutMs: patienceMs, everyMs: 500, what: 'the end of all deliveries' });
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { rows: logged } = await database.query<Logged>(
    `SELECT id, resource_id AS "meetingID" FROM account_events WHERE type LIKE 'room.%' ORDER BY sequence`,
  );
  const kills = { rounds, seconds, events: logged.length, ...compare(logged, receiver.read()) };
  const met =
    delay.p50Ms <= aim.p50Ms &&
    delay.p99Ms <= aim.p99Ms &&
    deliveriesPerSecond >= aim.deliveriesPerSecond &&
    kills.lost === 0 &&
    kills.outOfOrder === 0;
  console.log(JSON.stringify({ bench: 'webhooks', delay, deliveriesPerSecond, kills, aim, met }));
} finally {
  await receiver.kill();
  await database.end();
  await gateway.close();
  rmSync(folder, { recursive: true });
}
