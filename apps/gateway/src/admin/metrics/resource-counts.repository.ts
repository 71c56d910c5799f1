import type { Sample } from '@rtms/health';
import type { DataSource } from 'typeorm';
import { whereLive } from '../../platform/rows/live-states.js';

/** The states of each kind of resource that has not ended. */
export const liveStates = {
  room: ['active'],
  external_session: ['pending', 'active'],
  playback: ['ready', 'active'],
  broadcast: ['starting', 'active', 'interrupted'],
  recording: ['starting', 'recording', 'processing'],
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
