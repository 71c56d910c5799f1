import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NatsBus } from '@rtms/bus';
import { sfuCommands, transcoderCommands } from '@rtms/contracts';
import pg from 'pg';
import { descendants, openSockets } from '../../test/system/harness/processes.js';
import type { Stack } from '../../test/system/harness/stack.js';
import { residentMegabytesOfTree } from '../process-usage.js';

const services = ['gateway', 'sfu', 'transcoder'] as const;
type PerService = Record<(typeof services)[number], number>;

/** Resources of the services without any client. */
export interface ServiceState {
  /** Of the services and what they started. */
  processes: number;
  sockets: PerService;
  /** Open files of any kind. */
  descriptors: PerService;
  /** Below MEDIA_DIR, but for finished recordings. */
  files: string[];
  /** Resources in the inventories of the nodes. */
  held: string[];
  /** Rows in a state that is not final. */
  rows: string[];
}

export async function lookAt(stack: Stack): Promise<ServiceState> {
  const pids = services.map(name => stack[name].pid);
  const open = await Promise.all(pids.map(async pid => (await readdir(`/proc/${pid}/fd`)).length));
  return {
    processes: pids.reduce((sum, pid) => sum + 1 + descendants(pid).length, 0),
    sockets: perService(pids.map(openSockets)),
    descriptors: perService(open),
    files: await workFiles(stack.mediaDir),
    held: await heldByNodes(stack.nats),
    rows: await liveRows(stack.databaseUrl),
  };
}

/** The media worker's memory counts as the SFU's. */
export function residentMegabytes(stack: Stack): PerService {
  return perService(services.map(name => residentMegabytesOfTree(stack[name].pid)));
}

/** Lists resources that exist now and did not exist before, as sentences. Empty without a leak. */
export function leaksBetween(before: ServiceState, now: ServiceState): string[] {
  const more = (what: string, then: number, is: number): string[] =>
    is > then ? [`${what}: ${then} before, ${is} now`] : [];
  return [
    ...more('processes', before.processes, now.processes),
    ...services.flatMap(name => more(`sockets of ${name}`, before.sockets[name], now.sockets[name])),
    ...services.flatMap(name => more(`open files of ${name}`, before.descriptors[name], now.descriptors[name])),
    ...now.files.map(file => `file ${file}`),
    ...now.held.map(resource => `held: ${resource}`),
    ...now.rows.map(row => `row: ${row}`),
  ];
}

function perService(values: readonly number[]): PerService {
  const [gateway = 0, sfu = 0, transcoder = 0] = values;
  return { gateway, sfu, transcoder };
}

async function workFiles(mediaDir: string): Promise<string[]> {
  const entries = await readdir(mediaDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const finished = ['files', 'storyboards', 'hls'].map(folder => join(mediaDir, 'recordings', folder));
  return entries
    .filter(entry => entry.isFile() && !finished.some(folder => entry.parentPath.startsWith(folder)))
    .map(entry => join(entry.parentPath, entry.name));
}

async function heldByNodes(nats: Stack['nats']): Promise<string[]> {
  const bus = await NatsBus.connect({ ...nats.as('gateway'), name: 'soak' });
  try {
    const media = await bus.request(sfuCommands.inventory.forNode('sfu-1'), {});
    const jobs = await bus.request(transcoderCommands.inventory.forNode('transcoder-1'), {});
    return [
      ...media.meetingIDs.map(id => `room ${id}`),
      ...media.sessions.map(({ sessionID }) => `session ${sessionID}`),
      ...media.playbacks.map(({ playbackID }) => `playback ${playbackID}`),
      ...media.members.map(({ participantID }) => `member ${participantID}`),
      ...jobs.broadcasts.map(({ broadcastID }) => `broadcast ${broadcastID}`),
      ...jobs.recordings.map(({ recordingID }) => `recording ${recordingID}`),
    ];
  } finally {
    await bus.close();
  }
}

const finalStates = ['ended', 'failed', 'ready', 'left'];

async function liveRows(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // A `ready` playback waits for viewers; a `ready` recording has ended.
    const tables = ['rooms', 'external_sessions', 'playbacks', 'broadcasts', 'recordings', 'participants'];
    const queries = tables.map(
      table => `SELECT '${table} ' || id || ' ' || state AS live FROM ${table}
        WHERE NOT state = ANY($1) OR ('${table}' = 'playbacks' AND state = 'ready')`,
    );
    return (await client.query<{ live: string }>(queries.join(' UNION ALL '), [finalStates])).rows.map(row => row.live);
  } finally {
    await client.end();
  }
}
