import type { DashboardEventKind } from '@rtms/contracts';

/** A row as it is at a moment: another `version` says that it was changed. */
export interface RowVersion {
  kind: DashboardEventKind;
  id: string;
  version: string;
}

/** How many of the newest of each kind are watched; more than pages show. */
const watchedRows = 100;

/** Rows that are listed by account. */
const ofAccount: Partial<Record<DashboardEventKind, string>> = {
  recording: 'recordings',
  disposableKey: 'disposable_keys',
  domain: 'domains',
  subUser: 'sub_users',
  aiCredential: 'ai_credentials',
  sipConfig: 'sip_configs',
  translationConfig: 'translation_configs',
  agent: 'agents',
  eventsSetting: 'event_settings',
  recordingSetting: 'recording_settings',
  key: 'api_keys',
};

/** Rows that are found by their rooms. */
const ofRooms: Partial<Record<DashboardEventKind, [table: string, time: string]>> = {
  externalSession: ['external_sessions', 'created_at'],
  playback: ['playbacks', 'created_at'],
  broadcast: ['broadcasts', 'created_at'],
  participant: ['participants', 'joined_at'],
};

/** PostgreSQL gives each version of a row the number of the transaction that wrote it. */
const columns = (kind: string, id: string): string => `'${kind}' AS kind, ${id} AS id, t.xmin::text AS version`;

const newest = Object.entries(ofAccount).map(
  ([kind, table]) => `(SELECT ${columns(kind, 't.id')} FROM ${table} t WHERE t.account_id = $1
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${watchedRows})`,
);
const inRooms = Object.entries(ofRooms).map(
  ([
    kind,
    [table, time],
  ]) => `(SELECT ${columns(kind, 't.id')} FROM watched_rooms r JOIN ${table} t ON t.meeting_id = r.id
    ORDER BY t.${time} DESC, t.id DESC LIMIT ${2 * watchedRows})`,
);

/** The rooms that run, and the newest of all; $1 is the account. */
export const versionsStatement = `
WITH watched_rooms AS (
  (SELECT id FROM rooms WHERE account_id = $1 AND state = 'active' ORDER BY created_at DESC, id DESC LIMIT ${watchedRows})
  UNION (SELECT id FROM rooms WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${watchedRows})
)
SELECT ${columns('room', 't.id')} FROM watched_rooms w JOIN rooms t ON t.id = w.id
UNION ALL SELECT ${columns('balance', 't.key_type')} FROM balances t WHERE t.account_id = $1
UNION ALL ${[...newest, ...inRooms].join('\nUNION ALL ')}`;
