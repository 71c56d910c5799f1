/**
 * Time that the SDK adds to a call, beside bare `fetch` of the same request in the same run, in turns. The server answers at once.
 * `npm run bench:sdk -- [calls]`; prints one JSON line.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRtms } from '@rtms/server';
import { percentile } from '../percentile.js';

const calls = Number(process.argv[2] ?? 3_000);
const warmUp = Math.min(500, calls);
const key = 'acme:k3y';
const room = { meetingID: 'room_V1StGXR8Z5jdHi6BmyT0aB', state: 'active', metadata: { note: 'x'.repeat(1_000) } };
const answer = JSON.stringify({ success: true, room, join: { url: 'https://rtms.test', token: 'token' } });

const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end(answer));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function bare(): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ action: 'create', userName: 'Ada' });
  return (await fetch(`${url}/v1/rooms`, { method: 'POST', headers, body })).json();
}

const rtms = createRtms({ url, key });
const bySdk = (): Promise<unknown> => rtms.rooms.create({ userName: 'Ada' });

/** Microseconds of a call. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return (performance.now() - startedAt) * 1000;
}

try {
  const times = { bare: [] as number[], sdk: [] as number[] };
  for (let call = -warmUp; call < calls; call++) {
    const [bareTime, sdkTime] = [await timed(bare), await timed(bySdk)];
    if (call < 0) continue;
    times.bare.push(bareTime);
    times.sdk.push(sdkTime);
  }
  const at = (share: number) => {
    const [bareMs, sdkMs] = [percentile(times.bare, share) / 1000, percentile(times.sdk, share) / 1000];
    return { bareMs: rounded(bareMs), sdkMs: rounded(sdkMs), addedMs: rounded(sdkMs - bareMs) };
  };
  const figures = { calls, median: at(0.5), p95: at(0.95), aim: 'median.addedMs <= 1' };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exitCode = figures.median.addedMs <= 1 ? 0 : 1;
} finally {
  server.close();
  server.closeAllConnections();
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
