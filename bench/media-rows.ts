import pg from 'pg';
import type { FakeSfu } from '../apps/gateway/src/testing/fake-sfu.js';
import type { RunningGateway } from './api/gateway-process.js';
import { makeAccount } from './pages/fill-account.js';

export interface MediaRows {
  count: number;
  sessions: 'pending' | 'active';
  playbacks: 'ready' | 'active';
}

export interface PlacedPlayback {
  id: string;
  meetingID: string;
  sessionID: string;
  nodeID: string;
}

/** Ids as long and as random as the service's own. */
const idOf = (prefix: string) => `'${prefix}_' || substr(md5('${prefix}' || n) || md5('more' || n), 1, 26)`;

/** One session and one playback in each room, spread evenly over the nodes. */
const statementsFor = ({ sessions, playbacks }: MediaRows) => [
  `INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, expires_at)
   SELECT ${idOf('room')}, $1, 'conference', 'active', 'sandbox', 'Ann', 60, 20, '{}', timestamptz '2099-01-01'
   FROM generate_series(1, $2::int) AS n, (SELECT $3::text[], $4::bigint) AS unused`,
  `INSERT INTO external_sessions (id, account_id, meeting_id, node_id, node_epoch, participant_id, display_name, protocol,
     requested_tracks, state)
   SELECT ${idOf('ext')}, $1, ${idOf('room')}, ($3::text[])[1 + n % cardinality($3::text[])], $4, 'part_1', 'Camera', 'whip',
     '["video","audio"]', '${sessions}'
   FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO playbacks (id, account_id, meeting_id, node_id, node_epoch, source_session_id, tracks, state)
   SELECT ${idOf('play')}, $1, ${idOf('room')}, ($3::text[])[1 + n % cardinality($3::text[])], $4, ${idOf('ext')}, '["video"]', '${playbacks}'
   FROM generate_series(1, $2::int) AS n`,
];

/** Writes rooms with a session and a playback each, and makes the nodes hold exactly these. */
export async function fillMedia(
  gateway: RunningGateway,
  nodes: readonly FakeSfu[],
  rows: MediaRows,
): Promise<PlacedPlayback[]> {
  const { accountID } = await makeAccount(gateway);
  const database = new pg.Client({ connectionString: gateway.databaseUrl });
  await database.connect();
  try {
    await database.query(`SET session_replication_role = 'replica'`);
    const parameters = [accountID, rows.count, nodes.map(node => node.nodeID), nodes[0]?.epoch];
    for (const statement of statementsFor(rows)) await database.query(statement, parameters);
    await database.query('ANALYZE');
    const { rows: placed } = await database.query<PlacedPlayback>(
      `SELECT id, meeting_id AS "meetingID", source_session_id AS "sessionID", node_id AS "nodeID" FROM playbacks`,
    );
    giveToNodes(placed, nodes, rows);
    return placed;
  } finally {
    await database.end();
  }
}

function giveToNodes(placed: readonly PlacedPlayback[], nodes: readonly FakeSfu[], states: MediaRows): void {
  const byID = new Map(nodes.map(node => [node.nodeID, node]));
  for (const { id: playbackID, meetingID, sessionID, nodeID } of placed) {
    const node = byID.get(nodeID);
    node?.sessions.set(sessionID, { sessionID, meetingID, state: states.sessions });
    node?.playbacks.set(playbackID, { playbackID, sessionID, state: states.playbacks });
  }
}
