/**
 * The cost of the first page of a list and of deep ones, over HTTP, for accounts with a million rooms and messages
 * each. Also the cost of counting when a room is created. `npm run bench:pages` after `npm run build`;
 * prints one JSON line. It starts PostgreSQL, NATS and a gateway of its own.
 */
import pg from 'pg';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { percentile } from '../percentile.js';
import { countRows, fillAccount, makeAccount, type Account, type Filling } from './fill-account.js';
import { pageSize, timePages, type PagedList, type PageTimes } from './time-pages.js';

const rows = Number(process.argv[2] ?? 1_000_000);
const turns = 40;
/** A deep page may cost this many times the first one. */
const aim = 2;

/** Distribution of an account's rows: evenly over a year, or crowded into ten days. */
const year: Filling = { rooms: rows, messages: rows, seconds: 31_536_000 };
const tenDays: Filling = { rooms: rows, messages: rows / 10, seconds: 864_000 };

/** Timed pages of a list of this length: the first, the hundredth, the ten thousandth and the last. */
function pagesOf(count: number): number[] {
  const last = Math.floor(count / pageSize);
  return [...new Set([1, 100, 10_000, last])].filter(page => page <= last);
}

const writesEach = 50;
const writeRounds = 4;

async function fill(gateway: RunningGateway, database: pg.Client, filling: Filling): Promise<Account> {
  const account = await makeAccount(gateway);
  await fillAccount(database, account, filling);
  return account;
}

async function open({ databaseUrl }: RunningGateway): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('SET synchronous_commit = off');
  return database;
}

type ListTimes = Record<string, PageTimes>;

async function measureLists({ url }: RunningGateway, { authorization }: Account, filling: Filling): Promise<ListTimes> {
  const rooms = (filter: string): PagedList => {
    const itemsIn = (body: unknown) => (body as { rooms?: unknown[] }).rooms?.length ?? 0;
    return { url: `${url}/v1/rooms${filter}`, authorization, itemsIn };
  };
  const logs = (filter: string): PagedList => {
    const itemsIn = (body: unknown) => (Array.isArray(body) ? body.length : 0);
    return { url: `${url}/v1/room/logs${filter}`, authorization, itemsIn };
  };
  const withinTime = `?to=${new Date(Date.now() - 1000 * (filling.seconds / 100)).toISOString()}`;
  const entries = filling.rooms + filling.messages;
  return {
    rooms: await timePages(rooms(''), pagesOf(filling.rooms), turns),
    webinars: await timePages(rooms('?eventType=webinar'), pagesOf(filling.rooms / 4), turns),
    activeRooms: await timePages(rooms('?state=active'), pagesOf(filling.rooms / 1000), turns),
    logs: await timePages(logs(''), pagesOf(entries), turns),
    logsWithinTime: await timePages(logs(withinTime), pagesOf(0.98 * entries), turns),
    messages: await timePages(logs('?kind=message'), pagesOf(filling.messages), turns),
  };
}

/** Creating rooms with and without the triggers that count them, in turns. */
async function measureWrites({ url }: RunningGateway, { authorization }: Account, database: pg.Client) {
  const times = { counted: [] as number[], uncounted: [] as number[] };
  const create = async (): Promise<number> => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ action: 'create', userName: 'Ann' });
    const started = performance.now();
    const answer = await fetch(`${url}/v1/rooms`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    return performance.now() - started;
  };
  for (let turn = 0; turn < writeRounds * 2; turn += 1) {
    const name = turn % 2 === 0 ? 'counted' : 'uncounted';
    await database.query(`ALTER TABLE rooms ${name === 'counted' ? 'ENABLE' : 'DISABLE'} TRIGGER rooms_counted`);
    await create();
    for (let each = 0; each < writesEach; each += 1) times[name].push(await create());
  }
  return { countedP50Ms: percentile(times.counted, 0.5), uncountedP50Ms: percentile(times.uncounted, 0.5) };
}

const since = (started: number) => Math.round((performance.now() - started) / 1000);
const started = performance.now();
const gateway = await startGateway();
try {
  const database = await open(gateway);
  try {
    const [inYear, inTenDays] = [await fill(gateway, database, year), await fill(gateway, database, tenDays)];
    await countRows(database);
    const fillSeconds = since(started);
    const lists = {
      year: await measureLists(gateway, inYear, year),
      tenDays: await measureLists(gateway, inTenDays, tenDays),
    };
    const createRoom = await measureWrites(gateway, inYear, database);
    const factors = Object.values(lists).flatMap(each => Object.values(each).map(times => times.factor));
    const factor = Math.max(...factors);
    const run = { fillSeconds, seconds: since(started) };
    const result = { bench: 'pages', rows, pageSize, ...lists, createRoom, factor, aim, met: factor <= aim, ...run };
    console.log(JSON.stringify(result));
  } finally {
    await database.end();
  }
} finally {
  await gateway.close();
}
