import type { Sample } from '@rtms/health';
import type { DataSource } from 'typeorm';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { whereLive } from '../../platform/rows/live-states.js';

/** The states of each kind of resource that has not ended. */
export const liveStates = {
  room: ['active'],
  external_session: ['pending', 'active'],
  playback: ['ready', 'active'],
  broadcast: ['starting', 'active', 'interrupted'],
  recording: ['starting', 'recording', 'processing'],
  restream: ['connecting', 'active', 'retrying'],
} as const;

type Kind = keyof typeof liveStates;
const kinds = Object.keys(liveStates) as Kind[];

/** PostgreSQL uses the partial indexes only for these exact conditions. */
const conditions: Record<Kind, string> = {
  room: `state = 'active'`,
  external_session: whereLive(),
  playback: whereLive(),
  broadcast: whereLive(),
  recording: `state IN ('starting', 'recording', 'processing')`,
  restream: whereLive(),
};

const statement = kinds
  .map(
    kind =>
      `SELECT '${kind}' AS kind, state, count(*)::int AS count FROM ${kind}s WHERE ${conditions[kind]} GROUP BY 2`,
  )
  .join(' UNION ALL ');

interface CountRow {
  kind: string;
  state: string;
  count: number;
}

/** Counts the resources of the whole platform that have not ended. */
export async function countResources(database: DataSource): Promise<Sample[]> {
  const rows = await database.query<CountRow[]>(statement);
  const countOf = (kind: Kind, state: string): number =>
    rows.find(row => row.kind === kind && row.state === state)?.count ?? 0;
  return kinds.flatMap(kind =>
    liveStates[kind].map(state => ({ labels: { kind, state }, value: countOf(kind, state) })),
  );
}

/** The live resources of one account. */
export interface LiveAccount {
  accountID: string;
  name: string;
  rooms: number;
  externalSessions: number;
  playbacks: number;
  broadcasts: number;
  recordings: number;
}

const countedByAccount = kinds
  .map(kind => `SELECT account_id, '${kind}' AS kind, count(*) AS n FROM ${kind}s WHERE ${conditions[kind]} GROUP BY 1`)
  .join(' UNION ALL ');

const sumOf = (kind: Kind) => `coalesce(sum(n) FILTER (WHERE kind = '${kind}'), 0)::int`;

/** Accounts with live resources, those with the most first. */
const accountsStatement = `
SELECT a.id AS "accountID", a.name, ${sumOf('room')} AS rooms, ${sumOf('external_session')} AS "externalSessions",
  ${sumOf('playback')} AS playbacks, ${sumOf('broadcast')} AS broadcasts, ${sumOf('recording')} AS recordings,
  (count(*) OVER ())::int AS total
FROM (${countedByAccount}) AS live JOIN accounts a ON a.id = live.account_id
GROUP BY a.id ORDER BY sum(n) DESC, a.id OFFSET $1 LIMIT $2`;

/** Counts by account. A page behind the last one has the total 0. */
export async function listLiveAccounts(
  database: DataSource,
  { startIndex, pageSize }: Page,
): Promise<Listed<LiveAccount>> {
  const rows = await database.query<(LiveAccount & { total: number })[]>(accountsStatement, [startIndex, pageSize]);
  return { items: rows.map(({ total: _, ...account }) => account), total: rows[0]?.total ?? 0 };
}
