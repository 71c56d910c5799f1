import { Injectable } from '@nestjs/common';
import type { DashboardEvent, DashboardEventKind } from '@rtms/contracts';
import { DataSource } from 'typeorm';

/** A row at one moment. A change of the row changes its `version`. */
interface RowVersion {
  kind: DashboardEventKind;
  id: string;
  version: string;
}

export type Change = DashboardEvent['changes'][number];

/** The number of newest rows of each kind that are watched. Pages show fewer rows. */
const watchedRows = 100;

/** Tables that are listed by account. */
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

/** Tables that are listed by room. */
const ofRooms: Partial<Record<DashboardEventKind, [table: string, time: string]>> = {
  externalSession: ['external_sessions', 'created_at'],
  playback: ['playbacks', 'created_at'],
  broadcast: ['broadcasts', 'created_at'],
  participant: ['participants', 'joined_at'],
};

/** `xmin` is the number of the transaction that wrote this version of the row. */
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

/** Watches active rooms and the newest rooms of all. */
const versionsStatement = `
WITH watched_rooms AS (
  (SELECT id FROM rooms WHERE account_id = $1 AND state = 'active' ORDER BY created_at DESC, id DESC LIMIT ${watchedRows})
  UNION (SELECT id FROM rooms WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${watchedRows})
)
SELECT ${columns('room', 't.id')} FROM watched_rooms w JOIN rooms t ON t.id = w.id
UNION ALL SELECT ${columns('balance', 't.key_type')} FROM balances t WHERE t.account_id = $1
UNION ALL ${[...newest, ...inRooms].join('\nUNION ALL ')}`;

/** Reads the versions of an account's rows. */
@Injectable()
export class WatchedRowsRepository {
  constructor(private readonly dataSource: DataSource) {}

  readVersions(accountID: string): Promise<RowVersion[]> {
    return this.dataSource.query(versionsStatement, [accountID]);
  }
}

/** Finds rows that were created, changed or deleted between two reads. */
export class RowChanges {
  private known: Map<string, RowVersion> | undefined;

  /** The first call returns no changes. */
  compare(rows: readonly RowVersion[]): Change[] {
    const former = this.known;
    this.known = new Map(rows.map(row => [`${row.kind} ${row.id}`, row]));
    if (!former) return [];
    const changed = rows.filter(row => former.get(`${row.kind} ${row.id}`)?.version !== row.version);
    const gone = [...former].filter(([key]) => !this.known?.has(key)).map(([, row]) => row);
    return [...changed, ...gone].map(({ kind, id }) => ({ kind, id }));
  }
}
