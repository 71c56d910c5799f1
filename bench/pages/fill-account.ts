import type pg from 'pg';
import type { RunningGateway } from '../api/gateway-process.js';

export interface Account {
  accountID: string;
  authorization: string;
}

/** Every fourth a webinar, every thousandth still active. */
const roomsStatement = `
INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, created_at, expires_at)
SELECT 'room_' || $1 || lpad(n::text, 9, '0'), $1, CASE n % 4 WHEN 0 THEN 'webinar' ELSE 'conference' END,
  CASE n % 1000 WHEN 0 THEN 'active' ELSE 'ended' END, 'sandbox', 'Ann', 60, 20, '{}',
  now() - (($3::float8 / $2) * ($2 - n)) * interval '1 second', timestamptz '2099-01-01'
FROM generate_series(1, $2::int) AS n`;

const messagesStatement = `
INSERT INTO room_messages (id, account_id, key_type, meeting_id, sender_id, message, created_at)
SELECT 'msg_' || $1 || lpad(n::text, 9, '0'), $1, 'sandbox', 'room_' || $1 || lpad((1 + n % 1000)::text, 9, '0'), 'part_1', 'Hello',
  now() - (($3::float8 / $2) * ($2 - n)) * interval '1 second'
FROM generate_series(1, $2::int) AS n`;

async function postAdmin<Answer>(gateway: RunningGateway, path: string, body: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${gateway.adminToken}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${gateway.url}/admin/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} for ${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export async function makeAccount(gateway: RunningGateway): Promise<Account> {
  const made = await postAdmin<{ account: { accountID: string } }>(gateway, '/accounts', { name: 'Bench' });
  const { accountID } = made.account;
  const path = `/accounts/${accountID}/keys`;
  const { key } = await postAdmin<{ key: { apiUserName: string; apiKey: string } }>(gateway, path, { type: 'sandbox' });
  return { accountID, authorization: `Bearer ${key.apiUserName}:${key.apiKey}` };
}

/** The rows of an account: evenly spaced over this many seconds until now. */
export interface Filling {
  rooms: number;
  /** Spread over a thousand of the rooms. */
  messages: number;
  seconds: number;
}

/** Without triggers and checks of references, which would take minutes. So the rows are not counted yet. */
export async function fillAccount(database: pg.Client, { accountID }: Account, filling: Filling): Promise<void> {
  await database.query(`SET session_replication_role = 'replica'`);
  await database.query(roomsStatement, [accountID, filling.rooms, filling.seconds]);
  await database.query(messagesStatement, [accountID, filling.messages, filling.seconds]);
  await database.query('RESET session_replication_role');
}

/** Counts as an update of the service does. */
export async function countRows(database: pg.Client): Promise<void> {
  for (const table of ['rooms', 'room_messages']) await database.query(`SELECT recount_${table}()`);
  await database.query('VACUUM (ANALYZE)');
}
