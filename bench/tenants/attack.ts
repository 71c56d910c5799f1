import { NatsBus } from '@rtms/bus';
import { factMessageID, factSubject, sfuCommands, type Fact } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import pg from 'pg';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import type { Account } from '../../test/system/harness/account.js';
import type { Stack } from '../../test/system/harness/stack.js';
import { startPart, type RunningPart } from '../bench-process.js';

/** An attack by a process of its own. */
export type AttackTask =
  | { kind: 'offers' | 'viewers'; endpoint: string; token: string }
  | { kind: 'chat'; origin: string; tokens: readonly string[] }
  | { kind: 'sockets'; urls: readonly string[]; sockets: number };

/** Number of answers of the service by kind. */
export type AttackCounts = Record<string, number>;

/** An attack that runs until it is stopped. */
export type RunningAttack = RunningPart<AttackCounts>;

/** A statement of the bench's own fails after so long. */
const queryMs = 30_000;

const program = new URL('attack-process.ts', import.meta.url);

/** Resolves once the attack runs. */
export function startProcess(task: AttackTask): Promise<RunningAttack> {
  return startPart<AttackCounts>(program, task);
}

/** Reports this many viewers of a playback, as its SFU node does. */
export async function reportViewers(stack: Stack, playbackID: string, viewers: number): Promise<RunningAttack> {
  const asGateway = await NatsBus.connect({ ...stack.nats.as('gateway'), name: 'bench' });
  const { epoch } = await asGateway.request(sfuCommands.inventory.forNode('sfu-1'), {});
  await asGateway.close();
  const bus = await NatsBus.connect({ ...stack.nats.as('sfu'), name: 'bench' });
  const published = (async () => {
    for (let viewerCount = 1; viewerCount <= viewers; viewerCount++) {
      const fact: Fact = {
        ...{ resourceID: playbackID, nodeID: 'sfu-1', epoch, sequence: 1_000 + viewerCount },
        ...{ at: new Date().toISOString(), body: { type: 'playback.active', viewerCount } },
      };
      await bus.publish(factSubject(fact), fact, factMessageID(fact));
    }
  })();
  return {
    stop: async () => {
      await published;
      await bus.close();
      return { events: viewers };
    },
  };
}

const idOf = (prefix: string) => `'${prefix}_' || substr(md5('${prefix}' || n) || md5('more' || n), 1, 26)`;

/** One session in each room, all on the node that is going to die. */
const fillStatements = [
  `INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, expires_at)
   SELECT ${idOf('room')}, $1, 'conference', 'active', 'sandbox', 'Ann', 60, 20, '{}', timestamptz '2099-01-01'
   FROM generate_series(1, $2::int) AS n, (SELECT $3::text, $4::bigint) AS unused`,
  `INSERT INTO external_sessions (id, account_id, meeting_id, node_id, node_epoch, participant_id, display_name, protocol,
     requested_tracks, state)
   SELECT ${idOf('ext')}, $1, ${idOf('room')}, $3, $4, 'part_1', 'Camera', 'whip', '["video","audio"]', 'active'
   FROM generate_series(1, $2::int) AS n`,
];

/**
 * A node with this many sessions dies, and the living one gets them. Resolves when the first of them moves: before,
 * the gateway
 * waits for the node's lease to lapse. The attack answers how long all of them took from then on.
 */
export async function failNode(stack: Stack, { accountID }: Account, sessions: number): Promise<RunningAttack> {
  const bus = await NatsBus.connect({ ...stack.nats.as('sfu'), name: 'bench' });
  const node = new FakeSfu(bus, 'sfu-dying', { taken: () => Promise.resolve() });
  node.draining = true;
  await node.start();
  const database = new pg.Client({ connectionString: stack.postgres.url, query_timeout: queryMs });
  await database.connect();
  const countOn = async (nodeID: string): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM external_sessions WHERE node_id = $1 AND account_id = $2`;
    return (await database.query<{ count: number }>(sql, [nodeID, accountID])).rows[0]?.count ?? 0;
  };
  await fillNode(database, node, accountID, sessions);
  await node.die();
  const wait = { timeoutMs: 60_000, everyMs: 100 };
  await waitFor(async () => (await countOn(node.nodeID)) < sessions, { ...wait, what: 'the first session to move' });
  const begun = performance.now();
  const isEmpty = async (): Promise<boolean> => (await countOn(node.nodeID)) === 0;
  const moved = waitFor(isEmpty, { ...wait, what: 'the last session to move' }).then(() => performance.now() - begun);
  moved.catch(() => undefined); // the message of `stop`
  return {
    stop: async () => {
      try {
        return {
          sessions,
          movedMs: Math.round(await moved),
          movedToTheLivingNode: await countOn('sfu-1'),
        };
      } finally {
        await database.end();
        await bus.close();
      }
    },
  };
}

async function fillNode(database: pg.Client, node: FakeSfu, accountID: string, sessions: number): Promise<void> {
  await database.query(`SET session_replication_role = 'replica'`);
  for (const statement of fillStatements)
    await database.query(statement, [accountID, sessions, node.nodeID, node.epoch]);
  const { rows } = await database.query<{ id: string; meetingID: string }>(
    `SELECT id, meeting_id AS "meetingID" FROM external_sessions WHERE node_id = $1`,
    [node.nodeID],
  );
  for (const { id: sessionID, meetingID } of rows)
    node.sessions.set(sessionID, { sessionID, meetingID, state: 'active' });
}
