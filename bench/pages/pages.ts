/**
 * What a page of a list costs at its beginning, in its middle and at its end, for accounts with a million rooms each.
 * `npm run bench:pages`; prints one JSON line. It starts PostgreSQL, NATS and a built gateway of its own.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, startNats, startPostgres, waitFor } from '@rtms/testing';
import pg from 'pg';
import { percentile } from '../percentile.js';

const rooms = 1_000_000;
const pageSize = 20;
const requestsEach = 150;
/** With a filter all that the account has is counted. */
const filteredRequestsEach = 20;
/** A page deep inside may cost this much more than the first one. */
const aim = 2;

/** How far the rooms of an account lie apart: evenly over a year, or crowded into ten days. */
const accounts = { year: 31_536_000 / rooms, tenDays: 864_000 / rooms };

/** The place of a page, by its number from 1. */
const pages = { first: 1, tenThousandth: 10_000, middle: rooms / pageSize / 2, last: rooms / pageSize };
type PageName = keyof typeof pages;

const seedStatement = `
INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, created_at, expires_at)
SELECT $1 || '_' || n, $1, CASE n % 4 WHEN 0 THEN 'webinar' ELSE 'conference' END,
  CASE n % 1000 WHEN 0 THEN 'active' ELSE 'ended' END, 'sandbox', 'Ann', 60, 20, '{}',
  now() - ($3::float8 * ($4 - n)) * interval '1 second', timestamptz '2099-01-01'
FROM generate_series($2::int, $2::int + 99999) AS n`;

interface Account {
  accountID: string;
  authorization: string;
}

async function startGateway(databaseUrl: string, natsUrl: string, adminToken: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    PORT: String(port),
    RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
    RTMS_ADMIN_TOKEN: adminToken,
  };
  const run = (entry: string) => spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const migration = run('apps/gateway/dist/database/migrate.js');
  await waitFor(() => migration.exitCode !== null, { timeoutMs: 60_000, what: 'the migrations to end' });
  const child = run('apps/gateway/dist/main.js');
  const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false;
  await waitFor(isReady, { timeoutMs: 60_000, what: 'the gateway to be ready' });
  return { url, stop: () => child.kill('SIGTERM') };
}

async function makeAccount(url: string, adminToken: string): Promise<Account> {
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/admin/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { account: { accountID: string }; key: { apiUserName: string; apiKey: string } };
  };
  const { accountID } = (await post('/accounts', { name: 'Bench' })).account;
  const { key } = await post(`/accounts/${accountID}/keys`, { type: 'sandbox' });
  return { accountID, authorization: `Bearer ${key.apiUserName}:${key.apiKey}` };
}

async function seed(database: pg.Client, { accountID }: Account, secondsApart: number): Promise<void> {
  for (let first = 1; first <= rooms; first += 100_000) {
    await database.query(seedStatement, [accountID, first, secondsApart, rooms]);
  }
}

async function timePage(url: string, { authorization }: Account, page: number, filter: string): Promise<number> {
  const query = `startIndex=${(page - 1) * pageSize}&pageSize=${pageSize}${filter}`;
  const started = performance.now();
  const answer = await fetch(`${url}/v1/rooms?${query}`, { headers: { Authorization: authorization } });
  const body = (await answer.json()) as { rooms?: unknown[]; total?: number };
  if (body.rooms?.length !== pageSize) throw new Error(`${answer.status} for ${query}: ${JSON.stringify(body)}`);
  return performance.now() - started;
}

/** In turns, so that whatever else the machine does meets all pages alike. */
async function measure(url: string, account: Account, places: Record<string, number>, filter = '') {
  const turns = filter === '' ? requestsEach : filteredRequestsEach;
  const times = new Map(Object.keys(places).map(name => [name, [] as number[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, page] of Object.entries(places))
      times.get(name)!.push(await timePage(url, account, page, filter));
  }
  const entries = [...times].map(([name, each]) => [
    name,
    { p50Ms: percentile(each, 0.5), p99Ms: percentile(each, 0.99) },
  ]);
  return Object.fromEntries(entries) as Record<PageName, { p50Ms: number; p99Ms: number }>;
}

function factorOf(measured: Record<PageName, { p50Ms: number }>): number {
  const deepest = Math.max(...Object.values(measured).map(({ p50Ms }) => p50Ms));
  return Math.round((deepest / measured.first.p50Ms) * 100) / 100;
}

const adminToken = randomBytes(24).toString('base64url');
const [postgres, nats] = await Promise.all([startPostgres({ dedicated: true }), startNats()]);
const gateway = await startGateway(postgres.url, nats.url, adminToken);
const database = new pg.Client({ connectionString: postgres.url });
try {
  await database.connect();
  const seeded = new Map<string, Account>();
  for (const [name, secondsApart] of Object.entries(accounts)) {
    seeded.set(name, await makeAccount(gateway.url, adminToken));
    await seed(database, seeded.get(name)!, secondsApart);
  }
  await database.query('VACUUM ANALYZE');
  await pause(1_000);
  const year = await measure(gateway.url, seeded.get('year')!, pages);
  const tenDays = await measure(gateway.url, seeded.get('tenDays')!, pages);
  const activePages = { first: 1, last: 50 };
  const activeOnly = await measure(gateway.url, seeded.get('year')!, activePages, '&state=active');
  const webinarPages = { first: 1, tenThousandth: 10_000 };
  const webinars = await measure(gateway.url, seeded.get('year')!, webinarPages, '&eventType=webinar');
  const factor = Math.max(factorOf(year), factorOf(tenDays));
  const filtered = { activeOnly, webinars };
  console.log(
    JSON.stringify({ bench: 'pages', rooms, pageSize, year, tenDays, filtered, factor, aim, met: factor <= aim }),
  );
} finally {
  await database.end();
  gateway.stop();
  await nats.stop();
  await postgres.stop();
}
