import type { DashboardEventKind } from '@rtms/contracts';
import type { ChangeKind } from './change-set.js';

/** The table of each kind that the dashboard shows. */
const tableOf: Record<DashboardEventKind, string> = {
  room: 'rooms',
  externalSession: 'external_sessions',
  playback: 'playbacks',
  broadcast: 'broadcasts',
  recording: 'recordings',
  restream: 'restreams',
  participant: 'participants',
  balance: 'balances',
  key: 'api_keys',
  disposableKey: 'disposable_keys',
  domain: 'domains',
  eventsSetting: 'event_settings',
  recordingSetting: 'recording_settings',
  subUser: 'sub_users',
  aiCredential: 'ai_credentials',
  sipConfig: 'sip_configs',
  translationConfig: 'translation_configs',
  agent: 'agents',
  webhook: 'webhooks',
};

interface AnnouncedTable {
  kind: ChangeKind;
  /** The column with the ID of the change. */
  id: string;
  /** The column with the account; undefined: the table has none. */
  account: string | undefined;
}

/** The tables whose changes are announced. */
export const announcedTables: ReadonlyMap<string, AnnouncedTable> = new Map([
  ...Object.entries(tableOf).map(([kind, table]): [string, AnnouncedTable] => [
    table,
    { kind: kind as DashboardEventKind, id: table === 'balances' ? 'key_type' : 'id', account: 'account_id' },
  ]),
  ['room_feeds', { kind: 'roomLog', id: 'meeting_id', account: undefined }],
]);

/** Begins a statement that changes nothing that a client could see. */
export const unannounced = '/* unannounced */';

const verb = String.raw`(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)`;
const noAlias = 'SET|WHERE|USING|VALUES|SELECT|DEFAULT|ON|RETURNING';
const firstWrite = new RegExp(String.raw`^\s*${verb}\s+"?(\w+)"?(?:\s+(?:AS\s+)?"?(?!(?:${noAlias})\b)(\w+)"?)?`, 'i');
const anyWrite = new RegExp(String.raw`\b${verb}\s+"?(\w+)`, 'gi');
/** INSERT, UPDATE, DELETE and WITH. */
const mayWrite = /^\s*[IUDW]/i;

/** A statement that writes to an announced table. It returns the changed rows also as `changed_id` and `changed_account`. */
interface AnnouncedWrite {
  kind: ChangeKind;
  statement: string;
}

/**
 * Returns undefined for a statement that writes to no announced table. Throws when the statement writes to one elsewhere
 * than at its beginning, because PostgreSQL does not return such rows.
 */
export function findWrite(statement: string): AnnouncedWrite | undefined {
  if (!mayWrite.test(statement)) return undefined;
  const [begin = '', name = '', alias = name] = firstWrite.exec(statement) ?? [];
  requireNone(statement.slice(begin.length));
  const table = announcedTables.get(name);
  if (!table) return undefined;
  const account = table.account === undefined ? 'NULL::text' : `${alias}.${table.account}`;
  const returning = /\bRETURNING\b/i.test(statement) ? ',' : ' RETURNING';
  const columns = `${alias}.${table.id} AS changed_id, ${account} AS changed_account`;
  return { kind: table.kind, statement: `${statement}${returning} ${columns}` };
}

function requireNone(rest: string): void {
  for (const [, table = ''] of rest.matchAll(anyWrite)) {
    if (announcedTables.has(table))
      throw new Error(`Begin the statement with its write to ${table}, so that the change can be announced.`);
  }
}
